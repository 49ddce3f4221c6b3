"""The family tree: what each process is, whatever was seen first."""

from __future__ import annotations

import pytest

from processes.lineage import DEPTH, Kind, Lineage, Node
from support.process_tree import ARGV, family, proc


def known(tree: Lineage, pid: int) -> Node:
    return next(tree.walk(pid))


def kinds(tree: Lineage) -> dict[int, Kind]:
    return {node.pid: node.kind for root in tree.roots() for node in tree.walk(root, hosted=True)}


def test_an_agent_program_without_a_tracked_parent_is_an_agent() -> None:
    assert Lineage([proc(1, 0, "claude")]).kind(1) is Kind.AGENT
    assert Lineage([proc(1, 77, "claude")]).kind(1) is Kind.AGENT


def test_below_an_agent_an_agent_program_is_a_sub_agent_and_the_rest_are_tools() -> None:
    tree = family((0, "claude"), (1, "bash"), (1, "codex"), (3, "sleep"), (3, "claude"))
    assert kinds(tree) == {1: Kind.AGENT, 2: Kind.TOOL, 3: Kind.SUB_AGENT, 4: Kind.TOOL, 5: Kind.SUB_AGENT}


def test_what_is_below_a_tool_belongs_to_the_family() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash"), proc(3, 2, "sleep"), proc(4, 3, "claude")])
    assert [(n.pid, n.kind, n.depth) for n in tree.walk(1)] == [
        (1, Kind.AGENT, 0), (2, Kind.TOOL, 1), (3, Kind.TOOL, 2), (4, Kind.SUB_AGENT, 3),
    ]  # fmt: skip


def test_agent_mode_makes_an_agent_where_there_is_no_family() -> None:
    tree = Lineage([proc(1, 0, "zsh", agent_mode=True), proc(2, 0, "zsh")])
    assert kinds(tree) == {1: Kind.AGENT, 2: Kind.UNKNOWN}


@pytest.mark.parametrize("above", ["claude", "codex"])
def test_an_inherited_agent_mode_never_makes_an_agent(above: str) -> None:
    tree = Lineage(
        [
            proc(1, 0, "claude"),
            proc(2, 1, above),
            proc(3, 2, "bash", agent_mode=True),
            proc(4, 3, "sleep", agent_mode=True),
        ]
    )
    assert {tree.kind(3), tree.kind(4)} == {Kind.TOOL}
    assert known(tree, 3).agent_mode


def test_a_tracked_parent_that_is_no_agent_changes_nothing() -> None:
    tree = Lineage([proc(1, 0, "zsh"), proc(2, 1, "claude"), proc(3, 1, "sleep"), proc(4, 1, "zsh", agent_mode=True)])
    assert kinds(tree) == {1: Kind.UNKNOWN, 2: Kind.AGENT, 3: Kind.UNKNOWN, 4: Kind.AGENT}


def test_hosts_are_in_no_family_and_what_they_host_is_an_agent_of_its_own_case_36() -> None:
    tree = family((0, "claude"), (1, "daemon"), (2, "pty-host"), (3, "claude"), (4, "bash"))
    assert kinds(tree) == {1: Kind.AGENT, 2: Kind.UNKNOWN, 3: Kind.UNKNOWN, 4: Kind.AGENT, 5: Kind.TOOL}
    assert [node.pid for node in tree.walk(1)] == [1]
    assert [node.pid for node in tree.walk(4)] == [4, 5]
    assert tree.agents() == (1, 4)
    assert tree.owner(2) is None


def test_a_spare_that_was_claimed_is_an_agent_as_soon_as_somebody_vouches_for_it() -> None:
    tree = Lineage([proc(1, 0, "daemon"), proc(2, 1, "pty-host"), proc(3, 2, "spare"), proc(4, 3, "bash")])
    assert set(kinds(tree).values()) == {Kind.UNKNOWN}
    tree.vouch({3: "a"})
    assert (tree.kind(2), tree.kind(3), tree.kind(4)) == (Kind.UNKNOWN, Kind.AGENT, Kind.TOOL)
    assert tree.owner(4) == 3
    tree.vouch({})
    assert tree.kind(3) is Kind.UNKNOWN


def test_a_client_vouched_for_below_an_agent_is_a_sub_agent() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "zsh")])
    tree.vouch({2: "a"})
    assert tree.kind(2) is Kind.SUB_AGENT


def test_nobody_vouches_for_a_later_process_of_the_same_pid() -> None:
    tree = Lineage([proc(1, 0, "zsh", start="b")])
    tree.vouch({1: "a"})
    assert tree.kind(1) is Kind.UNKNOWN


def test_a_service_of_an_agent_program_is_a_tool() -> None:
    assert Lineage([proc(1, 0, "claude"), proc(2, 1, "mcp")]).kind(2) is Kind.TOOL
    assert Lineage([proc(2, 1, "mcp")]).kind(2) is Kind.UNKNOWN


def test_a_fork_of_a_client_that_is_not_a_program_yet_is_no_sub_agent() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "claude", forked=True)])
    assert tree.kind(2) is Kind.TOOL
    tree.insert(proc(2, 1, "codex"))
    assert tree.kind(2) is Kind.SUB_AGENT


def test_a_launcher_and_what_it_launches_are_one_agent() -> None:
    tree = Lineage([proc(1, 0, "launcher"), proc(2, 1, "codex"), proc(3, 2, "bash"), proc(4, 3, "claude")])
    assert kinds(tree) == {1: Kind.AGENT, 2: Kind.TOOL, 3: Kind.TOOL, 4: Kind.SUB_AGENT}
    assert tree.owner(3) == 1


@pytest.mark.parametrize(
    ("above", "below"), [("claude", "claude"), ("launcher", "claude"), ("launcher", "other codex")]
)
def test_only_a_launcher_goes_on_in_its_child(above: str, below: str) -> None:
    assert Lineage([proc(1, 0, above), proc(2, 1, below)]).kind(2) is Kind.SUB_AGENT


def test_the_owner_of_a_command_is_the_nearest_agent() -> None:
    tree = family((0, "claude"), (1, "bash"), (2, "codex"), (3, "bash"), (4, "sleep"))
    assert [tree.owner(pid) for pid in (1, 2, 3, 4, 5)] == [1, 1, 3, 3, 3]
    assert tree.owner(99) is None
    assert Lineage([proc(1, 0, "zsh"), proc(2, 1, "sleep")]).owner(2) is None


def test_a_node_tells_what_it_is_made_of() -> None:
    tree = Lineage(
        [
            proc(1, 0, "claude"),
            proc(3, 1, "bash", start="b", agent_mode=True),
            proc(2, 1, "sleep"),
            proc(4, 3, "sleep"),
        ]
    )
    assert known(tree, 3) == (3, "b", 1, Kind.TOOL, True, "bash", (4,), ARGV["bash"], 0)
    assert known(tree, 1).children == (2, 3)
    assert [*tree.walk(99)] == []


def test_children_come_by_pid() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(16, 1, "bash"), proc(9, 1, "bash")])
    assert known(tree, 1).children == (9, 16)
    assert [node.pid for node in tree.walk(1)] == [1, 9, 16]


def test_the_agents_are_those_at_the_top() -> None:
    tree = Lineage([proc(1, 0, "zsh"), proc(9, 1, "claude"), proc(3, 9, "codex"), proc(2, 0, "codex")])
    assert tree.agents() == (2, 9)


def test_what_is_below_an_unknown_process_is_walked_too() -> None:
    below = [proc(2, 1, "sleep"), proc(3, 1, "claude"), proc(4, 3, "daemon"), proc(5, 4, "claude")]
    tree = Lineage([proc(1, 0, "zsh"), *below])
    assert [node.pid for node in tree.walk(1)] == [1, 2, 3]
    assert [node.pid for node in tree.walk(1, hosted=True)] == [1, 2, 3, 4, 5]


def test_inserting_twice_changes_nothing() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash")])
    tree.insert(proc(2, 1, "bash"))
    assert known(tree, 1).children == (2,)
    assert set(kinds(tree)) == {1, 2}


def test_a_pid_under_another_parent_leaves_the_old_one() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 0, "codex"), proc(3, 1, "bash")])
    tree.insert(proc(3, 2, "bash"))
    assert known(tree, 1).children == ()
    assert known(tree, 2).children == (3,)
    tree.insert(proc(3, 99, "bash"))
    assert known(tree, 2).children == ()
    assert tree.kind(3) is Kind.UNKNOWN


def test_a_reused_pid_with_a_missed_exit_leaves_no_phantom_child() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash"), proc(3, 2, "sleep")])
    tree.insert(proc(2, 50, "zsh", start="b"))
    assert known(tree, 1).children == (3,)
    assert known(tree, 2).children == ()
    assert tree.kind(2) is Kind.UNKNOWN


def test_a_reused_pid_does_not_stay_with_the_family_of_the_old_one() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash")])
    tree.insert(proc(2, 0, "zsh", start="b"))
    assert known(tree, 1).children == ()


@pytest.mark.parametrize("removed", [[1], [2, 1]], ids=["its own parent", "a circle"])
def test_a_removed_pid_leaves_no_claim_behind(removed: list[int]) -> None:
    tree = Lineage([proc(1, len(removed), "claude"), proc(2, 1, "bash"), proc(3, 1, "sleep")])
    for pid in removed:
        tree.remove(pid)
    tree.insert(proc(1, 0, "claude", start="b"))
    assert known(tree, 1).children == ()


def test_an_orphan_stays_in_its_family() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash"), proc(3, 2, "sleep")])
    tree.remove(2)
    tree.insert(proc(3, 0, "sleep"))
    assert known(tree, 3).ppid == 1
    assert tree.kind(3) is Kind.TOOL


def test_a_removed_node_leaves_its_children_to_their_grandparent() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash"), proc(3, 2, "sleep"), proc(4, 2, "codex")])
    tree.remove(2)
    assert not list(tree.walk(2))
    assert known(tree, 1).children == (3, 4)
    assert (tree.kind(3), tree.kind(4)) == (Kind.TOOL, Kind.SUB_AGENT)


def test_a_grandparent_may_come_after_the_removal() -> None:
    tree = Lineage([proc(3, 2, "sleep"), proc(2, 1, "bash")])
    tree.remove(2)
    tree.insert(proc(1, 0, "claude"))
    assert known(tree, 1).children == (3,)


def test_removing_twice_changes_nothing() -> None:
    tree = Lineage([proc(1, 0, "claude"), proc(2, 1, "bash")])
    tree.remove(2)
    tree.remove(2)
    assert set(kinds(tree)) == {1}


def test_its_own_parent_is_nobodys_child() -> None:
    tree = Lineage([proc(1, 1, "claude"), proc(2, 1, "bash")])
    assert known(tree, 1).ppid == 0
    assert [node.pid for node in tree.walk(1)] == [1, 2]


def test_a_circle_does_not_hang_and_its_members_are_nobodys_children() -> None:
    tree = family((3, "claude"), (1, "bash"), (2, "sleep"), (3, "codex"), (4, "bash"))
    assert tree.roots() == (1, 2, 3)
    assert kinds(tree) == {1: Kind.AGENT, 2: Kind.UNKNOWN, 3: Kind.UNKNOWN, 4: Kind.AGENT, 5: Kind.TOOL}
    assert tree.owner(5) == 4
    tree.remove(2)
    tree.remove(1)
    assert tree.roots() == (3,)


def test_what_is_no_process_is_not_taken() -> None:
    assert Lineage([proc(0, 0, "claude"), proc(-1, 0, "claude")]).roots() == ()


@pytest.mark.parametrize("order", [1, -1], ids=["from the top", "from below"])
def test_below_the_cap_a_process_is_unknown(order: int) -> None:
    chain = [proc(1, 0, "claude"), *(proc(pid, pid - 1, "bash") for pid in range(2, 4 * DEPTH))]
    tree = Lineage(chain[::order])
    assert tree.kind(DEPTH) is Kind.TOOL
    assert tree.kind(DEPTH + 1) is Kind.UNKNOWN
    assert [node.pid for node in tree.walk(1)] == list(range(1, DEPTH + 1))
    assert [node.pid for node in tree.walk(DEPTH - 1)] == [DEPTH - 1, DEPTH]
