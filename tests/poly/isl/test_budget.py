"""Budgets stop isl, nest, and draw on the account of the whole unit."""

from __future__ import annotations

import islpy as isl
import pytest

from polyopt.poly.isl.budget import BudgetExceeded, budget, called_back, spend
from polyopt.support.effort import (
    FLOOR,
    FUNCTION,
    Effort,
    current_effort,
    effort,
    part,
    part_of_function,
    priced,
    share,
)
from polyopt.support.remarks import collect_remarks


def work(times: int = 1) -> None:
    for _ in range(times):
        a = isl.Set("[n] -> { [i, j] : 0 <= i < n and 0 <= j < i and (i + j) mod 3 = 0 }")
        a.subtract(isl.Set("[n] -> { [i, j] : 2i = j + n }")).coalesce()


def cost(times: int) -> int:
    with effort(1 << 40) as account, budget("work", 0):
        work(times)
    return account.spent


def test_what_is_spent_grows_with_the_work_and_is_the_same_each_time():
    one, ten = cost(1), cost(10)
    assert one > 0
    assert cost(10) == ten
    assert 8 * one <= ten <= 12 * one


def test_a_spent_budget_raises_and_isl_goes_on():
    with pytest.raises(BudgetExceeded, match="work: more than 300"), budget("work", 300):
        work(100)
    work()


def _work_around_another() -> None:
    work(4)
    with budget("inner", 0):
        pass
    work(4)


def test_an_inner_budget_neither_costs_the_outer_one_nor_renews_it():
    limit = cost(6)
    with budget("outer", limit):
        work(2)
        with budget("inner", 100 * limit):
            work(12)
        work(2)
    with pytest.raises(BudgetExceeded, match="outer"), budget("outer", limit):
        _work_around_another()


def test_the_phases_of_a_unit_share_one_account():
    with collect_remarks() as remarks, effort(FLOOR) as account:
        with budget("first", 0):
            work(10)
        assert 0 < account.spent < FLOOR
        with pytest.raises(BudgetExceeded, match="second"), budget("second", 100 * FLOOR):
            work(10_000)
    assert [one.id for one in remarks.items] == ["effort-spent"]
    assert current_effort() is None


def test_behind_a_spent_account_little_is_still_done():
    account = Effort(FLOOR, spent=FLOOR)
    assert account.allowance(10 * FLOOR) == FLOOR
    assert account.allowance(7) == 7


def test_an_account_goes_on_from_a_copy_and_leaves_the_one_it_was_made_of():
    with effort(100 * FLOOR) as account, part("S", 2 * FLOOR) as first:
        first.charge(FLOOR)
    with effort(account=account.copy()) as later, part("S", 2 * FLOOR) as second:
        assert second.spent == FLOOR
        second.charge(7)
    assert (account.spent, account.parts) == (FLOOR, {"S": FLOOR})
    assert (later.spent, later.parts) == (FLOOR + 7, {"S": FLOOR + 7})


def test_what_has_no_way_out_has_no_limit() -> None:
    with effort(1) as account:
        account.charge(10)
        with budget("all of it", 0):
            assert isl.DEFAULT_CONTEXT.get_max_operations() == 0


def test_a_share_is_spent_by_all_phases_in_it_and_charged_to_the_unit():
    with collect_remarks() as remarks, effort(100 * FLOOR) as account:
        with share("the search", FLOOR) as mine:
            with budget("first", 0):
                work(10)
            with pytest.raises(BudgetExceeded, match="second"), budget("second", 50 * FLOOR):
                work(10_000)
        assert account.spent == mine.spent < 3 * FLOOR
        assert account.allowance(50 * FLOOR) == 50 * FLOOR
    assert ["the search" in one.message for one in remarks.items] == [True]
    assert remarks.counters["operations"] == account.spent


def test_a_share_is_no_more_than_what_the_unit_has_left():
    account = Effort(10 * FLOOR, spent=8 * FLOOR)
    assert Effort(100 * FLOOR, what="a part", outer=account).allowance(50 * FLOOR) == 2 * FLOOR


def test_a_part_goes_on_where_it_was_left_and_others_have_their_own():
    with collect_remarks() as remarks, effort(100 * FLOOR) as account:
        with part("S", 2 * FLOOR), pytest.raises(BudgetExceeded), budget("first", 50 * FLOOR):
            work(20_000)
        with share("a pass", 50 * FLOOR), part("S", 2 * FLOOR) as again:
            assert again.spent == account.spent
            assert again.allowance(50 * FLOOR) == FLOOR
        with part("T", 2 * FLOOR) as other:
            assert other.allowance(50 * FLOOR) == 2 * FLOOR
    assert ["S has used up" in one.message for one in remarks.items] == [True]


def test_a_part_within_itself_is_charged_once():
    with effort(100 * FLOOR) as account, part("S", 4 * FLOOR) as outer:
        with part("S", 4 * FLOOR), budget("inner", 0):
            work(10)
        assert outer.spent == account.spent == account.parts["S"]


def test_without_an_account_a_part_is_a_share():
    with part("S", FLOOR) as one:
        one.charge(FLOOR // 2)
    with part("S", FLOOR) as two:
        assert two.spent == 0


def test_what_a_function_costs_is_no_other_function_s():
    with collect_remarks() as remarks, effort(100 * FUNCTION):
        with part_of_function("f") as first:
            first.charge(FUNCTION - FLOOR)
            assert first.allowance(FUNCTION) == FLOOR
        with part_of_function("f"), share("its loops", FUNCTION) as again:
            again.charge(FLOOR)
            assert again.allowance(FUNCTION) == FLOOR
        with part_of_function("g") as other:
            assert other.allowance(2 * FUNCTION) == FUNCTION
    assert ["the function 'f'" in one.message for one in remarks.items] == [True]


def test_what_isl_calls_back_is_not_ended_but_what_calls_it_is():
    seen = list[bool]()

    def look(_part: isl.BasicSet) -> None:
        with called_back():
            work(10)
            seen.append(True)

    def look_and_work() -> None:
        isl.Set("{ [i] : 0 <= i < 9 or 20 < i < 50 }").foreach_basic_set(look)
        assert seen
        work()

    with pytest.raises(BudgetExceeded), budget("work", 300):
        look_and_work()


def test_what_is_dear_gets_fewer_operations_and_pays_for_more():
    with effort(100 * FLOOR) as account, priced(16):
        priced_account = current_effort()
        assert priced_account is not None
        assert priced_account.allowance(32 * FLOOR) == 2 * FLOOR
        priced_account.charge(FLOOR)
    assert account.spent == 16 * FLOOR
    with effort(100 * FLOOR), priced(16):
        with share("a phase", 32 * FLOOR) as phase:
            assert phase.allowance(32 * FLOOR) == 2 * FLOOR
    with effort(100 * FLOOR) as account, priced(1):
        assert current_effort() is account


def _spend_around_another() -> None:
    spend(700)
    with budget("inner", 0):
        spend(5_000)
    spend(300)
    spend(1)


def test_work_of_our_own_is_paid_for_like_isl_s():
    with effort(1 << 40) as account:
        with budget("rows", 1_001):
            _spend_around_another()
        assert account.spent == 6_001
        with pytest.raises(BudgetExceeded, match="rows: more than 1000"), budget("rows", 1_000):
            _spend_around_another()
        assert 12_002 <= account.spent < 13_000
    with collect_remarks() as remarks, pytest.raises(BudgetExceeded), budget("rows", 1_000):
        spend(1_001)
    assert remarks.counters["budget-spent"] == 1
    spend(1 << 40)


def _spend_and_work(operations: int) -> None:
    spend(operations)
    with budget("inner", 0):
        pass
    work(4)


def test_isl_has_what_work_of_our_own_has_left():
    """Behind a budget inside."""
    limit = cost(6)
    with budget("outer", limit):
        _spend_and_work(limit - cost(5))
    with pytest.raises(BudgetExceeded, match="outer"), budget("outer", limit):
        _spend_and_work(limit - cost(3))


def test_behind_an_inner_budget_one_without_limit_goes_on():
    with budget("outer", 0):
        with budget("inner", 1000):
            pass
        work(4)
        assert isl.DEFAULT_CONTEXT.get_max_operations() == 0
