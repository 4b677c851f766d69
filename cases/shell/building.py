"""From the grammar's tree to values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from tree_sitter import Node

from cases import patterns as re
from cases.shell.grammar import BrokenError, ascii_of, every, operator, tree
from cases.shell.heredocs import Taken
from cases.shell.joining import PIPES, joined, negated
from cases.shell.programs import code_of, file_of, found_things, module_of, seen_through
from cases.shell.tree import Assignment, Command, Group, Heredoc, Redirect, Script, Word
from cases.shell.tree import Node as Part
from cases.shell.words import WORDS, word

DEEPEST = 40
"""Groups in groups."""
_CLAUSES = {"elif_clause", "else_clause"}
_KEYWORDS = {"if", "then", "elif", "else", "fi"}
DEEP, UNKNOWN = "nested too deeply", "not understood"


class Builder:
    """Turns one tree into values; `heredocs` are by the places of their operators, `parse` reads other texts."""

    def __init__(self, text: str, heredocs: Mapping[int, Taken], parse: Callable[[str], Script]) -> None:
        self.text = text
        self.heredocs = heredocs
        self.parse = parse

    def script(self, root: Node) -> Group:
        """Raises BrokenError."""
        return self._list(root, 0)

    def _list(self, node: Node, level: int) -> Group:
        return self._statements(node.children, level)

    def _statements(self, nodes: Sequence[Node], level: int) -> Group:
        parts: list[Part] = []
        joints: list[str] = []
        for node in nodes:
            if node.is_named and node.type != "comment":
                parts.append(self._part(node, level))
                joints.append(";")
            elif node.type == "&" and joints:
                joints[-1] = "&"
        return Group("list", tuple(parts), tuple(joints))

    def _part(self, node: Node, level: int, redirects: tuple[Node, ...] = ()) -> Part:
        if level > DEEPEST:
            raise BrokenError(DEEP)
        arithmetic = node.type == "compound_statement" and node.children[0].type == "(("
        if node.type == "test_command" or arithmetic:
            return self._test(node, level, redirects)
        builders = {
            "command": self._command,
            "declaration_command": self._command,
            "unset_command": self._command,
            "variable_assignments": self._command,
            "variable_assignment": self._assigning,
            "redirected_statement": self._redirected,
            "list": self._chain,
            "pipeline": self._pipeline,
            "negated_command": self._negated,
        }
        return builders.get(node.type, self._group)(node, level, redirects)

    def _redirected(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Part:
        """Those behind a chain or a pipeline are of its last command."""
        body = node.child_by_field_name("body")
        own = tuple(node.children_by_field_name("redirect")) + redirects
        return self._part(body, level, own) if body else self._simple(node, [], [], own, level)

    def _chain(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Part:
        """The grammar nests them to the left, one level a joint."""
        nodes: list[Node] = []
        joints: list[str] = []
        left = node
        while left.type == "list":
            left, joint, last = (child for child in left.children if child.type != "comment")
            nodes.append(last)
            joints.append(joint.type)
        nodes = [left, *reversed(nodes)]
        return joined([*self._parts(nodes, level, redirects)], joints[::-1])

    def _pipeline(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Part:
        nodes = [child for child in node.named_children if child.type != "comment"]
        joints = [child.type for child in node.children if child.type in PIPES]
        return joined([*self._parts(nodes, level, redirects)], joints)

    def _parts(self, nodes: Sequence[Node], level: int, redirects: tuple[Node, ...]) -> Iterator[Part]:
        for node in nodes[:-1]:
            yield self._part(node, level)
        yield self._part(nodes[-1], level, redirects)

    def _negated(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Part:
        inner = self._part(node.named_children[0], level + 1, redirects)
        return negated(inner)

    def _group(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Group:
        builders = {
            "subshell": self._enclosed,
            "compound_statement": self._enclosed,
            "if_statement": self._if,
            "while_statement": self._while,
            "for_statement": self._for,
            "c_style_for_statement": self._for,
            "case_statement": self._case,
            "function_definition": self._function,
        }
        if node.type not in builders:
            raise BrokenError(UNKNOWN)
        group = builders[node.type](node, level + 1)
        return replace(group, redirects=tuple(self._redirect(one, level + 1) for one in redirects))

    def _enclosed(self, node: Node, level: int) -> Group:
        return Group("subshell" if node.type == "subshell" else "braces", (self._list(node, level),))

    def _if(self, node: Node, level: int) -> Group:
        return Group("if", tuple(self._branches(node, level)), sure=1)

    def _while(self, node: Node, level: int) -> Group:
        body = _child(node, "body")
        condition = [child for child in node.children[1:] if child.start_byte < body.start_byte]
        return Group("loop", (self._statements(condition, level), self._list(body, level)), sure=1)

    def _for(self, node: Node, level: int) -> Group:
        values = tuple(self._word(one, level) for one in node.children_by_field_name("value"))
        return Group("loop", (self._list(_child(node, "body"), level),), words=values)

    def _case(self, node: Node, level: int) -> Group:
        return Group("case", tuple(self._cases(node, level)), words=(self._word(_child(node, "value"), level),))

    def _function(self, node: Node, level: int) -> Group:
        return Group("function", (self._part(_child(node, "body"), level),))

    def _branches(self, node: Node, level: int) -> Iterator[Group]:
        """Conditions and bodies in turn."""
        found: list[Node] = []
        for child in node.children:
            for one in child.children if child.type in _CLAUSES else [child]:
                if one.type not in _KEYWORDS:
                    found.append(one)
                elif found:
                    yield self._statements(found, level)
                    found = []

    def _cases(self, node: Node, level: int) -> Iterator[Group]:
        for item in node.named_children:
            if item.type == "case_item":
                closed = next(place for place, child in enumerate(item.children) if child.type == ")")
                yield self._statements(item.children[closed + 1 :], level)

    def _command(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Part:
        words: list[Word] = []
        assignments: list[Assignment] = []
        own: list[Node] = []
        for child in node.children:
            if child.type == "variable_assignment" and node.type != "declaration_command":
                assignments.append(self._assignment(child, level))
            elif child.type in {"file_redirect", "herestring_redirect"}:
                own.append(child)
            elif child.type == "subshell":  # behind `time`
                return self._part(child, level, redirects)
            else:
                words.append(self._word(child, level))
        return self._simple(node, words, assignments, (*own, *redirects), level)

    def _assigning(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Command:
        return self._simple(node, [], [self._assignment(node, level)], redirects, level)

    def _test(self, node: Node, level: int, redirects: tuple[Node, ...]) -> Command:
        """Its words are all that stands in it."""
        leaves, nodes = list[Node](), [node]
        while nodes:
            one = nodes.pop()
            if one.children and one.type not in WORDS:
                nodes += reversed(one.children)
            else:
                leaves.append(one)
        return self._simple(node, [self._word(one, level) for one in leaves], [], redirects, level)

    def _simple(
        self, node: Node, words: list[Word], assignments: list[Assignment], redirects: Sequence[Node], level: int
    ) -> Command:
        """The grammar takes words behind a redirection for more of its targets."""
        more = [one for node in redirects for one in node.children_by_field_name("destination")[1:]]
        spelled = (*words, *(self._word(one, level) for one in more))
        end = max([node.end_byte, *(one.end_byte for one in redirects)])
        start = min([node.start_byte, *(one.start_byte for one in redirects)])
        done = tuple(self._redirect(one, level) for one in redirects)
        return self._made(spelled, tuple(assignments), done, (start, end))

    def _made(
        self,
        spelled: tuple[Word, ...],
        assignments: tuple[Assignment, ...],
        redirects: tuple[Redirect, ...],
        place: tuple[int, int],
        *,
        around: bool = True,
    ) -> Command:
        """`around` says that it stands in the line itself and is not run by `find`."""
        seen = seen_through(spelled)
        code = code_of(seen.words, redirects)
        inner = [self.parse(code.text)] if code and code.language == "shell" and code.literal else []
        for words in found_things(seen.words) if around else ():
            command = self._made(words, (), (), (words[0].start, words[-1].end), around=False)
            inner.append(Script(command.text, Group("list", (command,), (";",))))
        return Command(
            spelled=spelled,
            words=seen.words,
            wrappers=seen.wrappers,
            assignments=(*assignments, *seen.assignments),
            redirects=redirects,
            start=place[0],
            end=place[1],
            text=self.text[place[0] : place[1]],
            code=code,
            file=file_of(seen.words),
            module=module_of(seen.words),
            inner=tuple(inner),
        )

    def _assignment(self, node: Node, level: int) -> Assignment:
        name = _child(node, "name")
        value = node.child_by_field_name("value")
        end = node.end_byte
        found = self._word(value, level) if value else Word("", literal=True, start=end, end=end)
        return Assignment(self.text[name.start_byte : name.end_byte], found)

    def _redirect(self, node: Node, level: int) -> Redirect:
        sign = operator(node)
        given = node.child_by_field_name("descriptor")
        fd = int(self.text[given.start_byte : given.end_byte]) if given else None
        taken = self.heredocs.get(sign.start_byte)
        if taken:
            return Redirect(taken.operator, fd, None, self._heredoc(taken))
        named = node.child_by_field_name("destination") or next(iter(node.named_children[-1:]), None)
        target = self._word(named, level) if named and named.type != "file_descriptor" else None
        return Redirect(sign.type, fd, target)

    def _heredoc(self, taken: Taken) -> Heredoc:
        """In an unquoted one substitutions are found as in a string."""
        body = taken.body(self.text)
        if taken.quoted or not re.search(r"\$\(|`", body):
            return Heredoc(body, taken.quoted)
        root = tree('"' + ascii_of(body).replace('"', "x") + '"')
        if root.has_error:
            return Heredoc(body, quoted=False, scripts=(Script(body, None, UNKNOWN),))
        found = (body[node.start_byte - 1 : node.end_byte - 1].strip() for node in every(root, "command_substitution"))
        return Heredoc(body, quoted=False, scripts=tuple(self.parse(_unwrapped(one)) for one in found))

    def _word(self, node: Node, level: int) -> Word:
        return word(node, self.text, lambda inner: self._nested(inner, level + 1))

    def _nested(self, node: Node, level: int) -> Script:
        """What stands in a substitution; its places count in the text around it."""
        return Script(self.text, self._statements(node.children, level))


def _child(node: Node, field: str) -> Node:
    found = node.child_by_field_name(field)
    if found is None:
        raise BrokenError(UNKNOWN)
    return found


def _unwrapped(substitution: str) -> str:
    """What stands in `$(…)` or in backticks."""
    return substitution[2:-1] if substitution[0] == "$" else re.sub(r"\\([\\`$])", r"\1", substitution[1:-1])
