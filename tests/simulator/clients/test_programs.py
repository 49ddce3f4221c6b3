"""The programs of the other clients: every light of them is right."""

from __future__ import annotations

import pytest

from simulator.clients import CLIENTS
from simulator.clients.generate import generate
from simulator.judgement import judge
from simulator.mix import ALL, client_of, program
from simulator.story import story
from support.doses import dosed
from support.project import PROJECT

FIXED, CHUNK = 20, 5
SEEDS = [
    (line.split()[0], int(line.split()[1]))
    for line in (PROJECT / "simulator" / "clients" / "seeds.txt").read_text().splitlines()
    if line.strip()
]


@pytest.mark.parametrize("first", dosed(range(1, FIXED + 1, CHUNK), 1))
@pytest.mark.parametrize("client", CLIENTS)
def test_every_light_of_the_fixed_programs_is_right(client: str, first: int) -> None:
    moments = 0
    for seed in range(first, first + CHUNK):
        found = judge(generate(client, seed))
        moments += found.findings.moments
        assert found.findings.wrong == [], f"{client} {seed}\n" + story(found, found.findings.wrong[0])
    assert moments > 50


@pytest.mark.parametrize(("client", "seed"), SEEDS)
def test_no_seed_fails_again(client: str, seed: int) -> None:
    found = judge(generate(client, seed))
    assert found.findings.wrong == [], story(found, found.findings.wrong[0])


def test_one_program_in_five_is_of_another_client_and_each_has_its_turn() -> None:
    clients = [client_of(seed) for seed in range(1, 151)]
    assert set(clients) == set(ALL)
    assert clients.count("claude") == 120
    assert program(5) == generate(client_of(5), 5)
    assert program(5, "qwen").client == "qwen"
