"""The examples of the documentation run, and the stub says what the module has."""

import ast
import doctest
import inspect
import os
import unittest
from pathlib import Path

import tridex

HERE = Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent


def documented():
    """The README, the page of the guide, and every docstring of the module, each with its name."""
    for name in ["crates/python/README.md", "crates/guide/src/python.md"]:
        # The fence behind an example is no output of it.
        lines = (ROOT / name).read_text().splitlines()
        yield name, "\n".join("" if line.startswith("```") else line for line in lines)
    yield "tridex", inspect.getdoc(tridex)
    for name, thing in public(tridex).items():
        yield name, inspect.getdoc(thing)
        if inspect.isclass(thing):
            for part, member in public(thing).items():
                yield f"{name}.{part}", inspect.getdoc(member)


def public(thing):
    return {name: value for name, value in vars(thing).items() if not name.startswith("_") and name != "tridex"}


def load_tests(loader, tests, pattern):
    os.chdir(ROOT)
    parser = doctest.DocTestParser()
    for name, text in documented():
        test = parser.get_doctest(text or "", {"tridex": tridex}, name, None, None)
        if test.examples:
            tests.addTest(doctest.DocTestCase(test))
    return tests


class Stub(unittest.TestCase):
    """Exceptions aside, whose attributes are set when they are raised, and the dictionaries, which are no classes."""

    def setUp(self):
        self.stub = ast.parse((HERE / "tridex.pyi").read_text())

    def classes(self):
        for node in self.stub.body:
            if isinstance(node, ast.ClassDef) and not any(ast.unparse(base) == "TypedDict" for base in node.bases):
                yield node

    def test_the_stub_has_the_names_of_the_module(self):
        names = {node.name for node in self.stub.body if isinstance(node, ast.FunctionDef)}
        names |= {node.name for node in self.classes()}
        names |= {node.target.id for node in self.stub.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual(names - {"__version__"}, set(public(tridex)))

    def test_the_stub_has_the_members_of_each_class(self):
        for node in self.classes():
            thing = getattr(tridex, node.name)
            if issubclass(thing, Exception):
                continue
            members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            ours = {name for name in members if not name.startswith("_")}
            self.assertEqual(ours, set(public(thing)), node.name)
            for name in members:
                self.assertTrue(hasattr(thing, name), f"{node.name}.{name}")

    def test_the_stub_has_the_parameters_of_each_function(self):
        functions = [("", tridex, node) for node in self.stub.body]
        for node in self.classes():
            functions += [(node.name, getattr(tridex, node.name), part) for part in node.body]
        compared = 0
        for owner, thing, node in functions:
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_") or node.decorator_list:
                continue
            found = inspect.signature(getattr(thing, node.name))
            args = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            defaults = [None] * (len(node.args.args) - len(node.args.defaults)) + node.args.defaults
            defaults += node.args.kw_defaults
            for arg, default in zip(args, defaults):
                known = found.parameters[arg.arg]
                said = inspect.Parameter.empty if default is None else ast.literal_eval(default)
                self.assertEqual(known.default, said, f"{owner}.{node.name}: {arg.arg}")
            args += [node.args.kwarg] if node.args.kwarg else []
            self.assertEqual([arg.arg for arg in args], list(found.parameters), f"{owner}.{node.name}")
            compared += 1
        self.assertGreater(compared, 20)


if __name__ == "__main__":
    unittest.main()
