"""The family tree: what holds whatever is inserted and removed, in any order."""

from __future__ import annotations

from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from processes.lineage import AGENTS, FAMILY, Kind, Lineage, Node
from processes.process import Proc
from support.process_tree import ARGV, proc

PIDS = st.integers(1, 8)
PROCS = st.builds(
    proc,
    PIDS,
    st.integers(0, 9),
    st.sampled_from(sorted(ARGV)),
    start=st.sampled_from("ab"),
    agent_mode=st.booleans(),
    forked=st.booleans(),
)
STEPS = st.lists(PROCS | PIDS, max_size=40)
TABLES = st.lists(PROCS, max_size=8, unique_by=lambda p: p.pid)
PLAIN = settings(deadline=None, database=None)


CLIENTS = st.dictionaries(PIDS, st.sampled_from("ab"))


def known(tree: Lineage, pid: int) -> Node:
    return next(tree.walk(pid))


def everything(tree: Lineage) -> list[Node]:
    return [node for pid in range(12) for node in islice(tree.walk(pid), 1)]


@PLAIN
@given(STEPS)
def test_every_child_is_listed_once_by_its_parent_and_by_nobody_else(steps: list[Any]) -> None:
    tree = Lineage()
    for step in steps:
        if isinstance(step, Proc):
            tree.insert(step)
            assert known(tree, step.pid).start == step.start
        else:
            tree.remove(step)
        nodes = {node.pid: node for node in everything(tree)}
        listed = [(child, node.pid) for node in nodes.values() for child in node.children]
        assert sorted(listed) == sorted((node.pid, node.ppid) for node in nodes.values() if node.ppid)
        assert set(tree.roots()) == {node.pid for node in nodes.values() if not node.ppid}


@PLAIN
@given(STEPS)
def test_a_skill_is_never_produced_and_every_walk_ends(steps: list[Any]) -> None:
    tree = Lineage(step for step in steps if isinstance(step, Proc))
    for pid in range(12):
        assert tree.kind(pid) is not Kind.SKILL
        for hosted in (False, True):
            walked = [node.pid for node in tree.walk(pid, hosted=hosted)]
            assert len(walked) == len(set(walked))
        assert all(node.kind is tree.kind(node.pid) for node in tree.walk(pid, hosted=True))
    assert Kind.SKILL in Kind


@PLAIN
@given(TABLES, CLIENTS, st.randoms(use_true_random=False))
def test_what_a_process_is_does_not_depend_on_the_order_it_was_seen_in(
    procs: list[Proc], clients: dict[int, str], random: Any
) -> None:
    one, other = Lineage(procs), Lineage()
    one.vouch(clients)
    other.vouch(clients)
    for one_more in random.sample([*procs, *procs], 2 * len(procs)):
        other.insert(one_more)
    assert everything(one) == everything(other)


@PLAIN
@given(TABLES, st.lists(PIDS, unique=True), st.randoms(use_true_random=False))
def test_the_order_of_removals_does_not_matter(procs: list[Proc], gone: list[int], random: Any) -> None:
    one, other = Lineage(procs), Lineage(procs)
    for pid in gone:
        one.remove(pid)
    for pid in random.sample(gone, len(gone)):
        other.remove(pid)
    assert everything(one) == everything(other)


@PLAIN
@given(TABLES, CLIENTS)
def test_who_is_in_a_family_has_an_agent_above(procs: list[Proc], clients: dict[int, str]) -> None:
    tree = Lineage(procs)
    tree.vouch(clients)
    for pid in range(12):
        owner = tree.owner(pid)
        assert (owner is not None) == (tree.kind(pid) in FAMILY)
        assert owner is None or tree.kind(owner) in AGENTS
