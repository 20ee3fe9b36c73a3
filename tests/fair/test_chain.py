import pytest

from astragal.fair import LINKS, Chain, FairError, Fault, check_link, hidden_chain, link_after, new_seed
from tests.fair.tables import Spring, seed_of

SEED = seed_of("s:alice")


def test_links_are_spent_backwards_from_the_tip_to_the_seed() -> None:
    chain = Chain("s:alice", SEED)
    last = chain.tip
    for count in range(1, LINKS + 1):
        link = chain.spend(count)
        check_link("s:alice", link, last)
        last = link
    assert last == SEED


def test_links_may_be_asked_for_in_any_order() -> None:
    chain = Chain("s:alice", SEED, length=200)
    links = [SEED]
    while len(links) < 200:
        links.append(link_after("s:alice", links[-1]))
    assert [chain.link(k) for k in (199, 0, 64, 63, 128, 1)] == [links[k] for k in (199, 0, 64, 63, 128, 1)]
    assert chain.tip == link_after("s:alice", links[-1])


@pytest.mark.parametrize("count", [0, 9, -1])
def test_a_chain_has_no_link_beyond_its_seed(count: int) -> None:
    with pytest.raises(FairError) as refused:
        Chain("s:alice", SEED, length=8).spend(count)
    assert refused.value.code == Fault.USED_UP


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(FairError) as refused:
        Chain("s:alice", b"short")
    assert refused.value.code == Fault.BAD_FIELD


def test_the_same_seed_gives_each_source_a_chain_of_its_own() -> None:
    assert Chain("s:alice", SEED).tip != Chain("u:alice", SEED).tip


@pytest.mark.parametrize(
    ("spent", "code"),
    [(3, Fault.LINK_SKIPPED), (6, Fault.LINK_SKIPPED), (1, Fault.LINK_REPLAYED), (0, Fault.LINK_FOREIGN)],
)
def test_a_wrong_link_is_told_apart(spent: int, code: Fault) -> None:
    chain = Chain("s:alice", SEED, length=8)
    link = chain.spend(spent) if spent else seed_of("s:mallory")
    with pytest.raises(FairError) as refused:
        check_link("s:alice", link, last=chain.spend(1))
    assert refused.value.code == code


def test_seeds_come_from_the_operating_system_unless_told_otherwise() -> None:
    assert len(new_seed()) == 32
    assert new_seed() != new_seed()
    assert new_seed(Spring("a")) == new_seed(Spring("a"))


def test_each_hidden_roll_of_a_scene_has_a_chain_of_a_single_link() -> None:
    chain = hidden_chain("harbour", 3, new_seed(Spring("hidden")))
    assert chain.src == "s:gm-harbour-3"
    assert link_after(chain.src, chain.spend(1)) == chain.tip


@pytest.mark.parametrize(("scene", "k"), [("the harbour", 1), ("", 1), ("harbour", 0), ("häfen", 1)])
def test_a_hidden_chain_needs_a_plain_name_and_a_number(scene: str, k: int) -> None:
    with pytest.raises(FairError) as refused:
        hidden_chain(scene, k, new_seed())
    assert refused.value.code == Fault.BAD_SOURCE
