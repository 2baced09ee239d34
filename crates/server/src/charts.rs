//! Charts as plain SVG without a style or script of their own. Classes of the style sheet give the colours, and every
//! chart also has its numbers as text.

use maud::{Markup, html};

/// One bar: its name and its count.
pub(crate) type Bar = (String, u64);

/// A bar divided into three shares, with their percentages where they fit.
pub(crate) fn bar(names: [&str; 3], counts: [u64; 3]) -> Markup {
    let all: u64 = counts.iter().sum();
    let words = names.iter().zip(counts);
    let words = words.map(|(name, count)| format!("{name} {:.1} %", share(count, all) * 100.0));
    let words: Vec<String> = words.collect();
    let mut x = 0.0;
    let parts = counts.map(|count| {
        let wide = share(count, all) * 160.0;
        x += wide;
        (x - wide, wide, count)
    });
    html! {
        @if all == 0 { span.status { "no results" } }
        @else {
            svg.chart.shares viewBox="0 0 160 20" role="img" aria-label=(words.join(", ")) {
                @for ((x, wide, count), class) in parts.into_iter().zip(["white", "drawn", "black"]) {
                    rect class=(class) x=(format!("{x:.1}")) y="0" width=(format!("{wide:.1}")) height="20" {}
                    @if wide > 34.0 {
                        text class=(format!("on-{class}")) x=(format!("{:.1}", x + wide / 2.0)) y="15" text-anchor="middle" {
                            (format!("{:.0} %", share(count, all) * 100.0))
                        }
                    }
                }
            }
        }
    }
}

/// Vertical bars side by side, with at most ten names below.
pub(crate) fn bars(title: &str, bars: &[Bar]) -> Markup {
    const WIDTH: f64 = 600.0;
    const HEIGHT: f64 = 200.0;
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let step = WIDTH / bars.len().max(1) as f64;
    // More names would overlap.
    let every = (bars.len().div_ceil(10)).max(1);
    html! {
        div.wide tabindex="0" role="region" aria-label=(title) { svg.chart viewBox="-20 0 640 230" role="img" aria-label=(title) {
            title { (title) }
            line.axis x1="0" y1="200.5" x2="600" y2="200.5" {}
            @for (i, (name, count)) in bars.iter().enumerate() {
                @let high = share(*count, most) * (HEIGHT - 18.0);
                @let x = step * i as f64;
                rect.bar x=(format!("{:.1}", x + step * 0.08)) y=(format!("{:.1}", HEIGHT - high))
                    width=(format!("{:.1}", step * 0.84)) height=(format!("{high:.1}")) {
                    title { (name) ": " (count) }
                }
                @if i % every == 0 {
                    text.label x=(format!("{:.1}", x + step / 2.0)) y="220" text-anchor="middle" { (name) }
                }
            }
            text.label x="0" y="12" { (most) }
        } }
    }
}

/// `count` divided by `all`, or by 1 if `all` is 0.
pub(crate) fn share(count: u64, all: u64) -> f64 {
    count as f64 / all.max(1) as f64
}
