// What a page has besides the browser's own globals.
import type { TridexViewer as Viewer } from "./viewer/index.js";

declare global {
  var TridexViewer: Viewer;
}
