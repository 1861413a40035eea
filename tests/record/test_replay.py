"""Bit-for-bit comparison."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.record.replay import verify


def changed(take, name, row, column, value):
    values = take[name].copy()
    values[row, column] = value
    return replace(take, series=take.series | {name: take.series[name]._replace(values=values)})


def test_a_take_equals_itself(take):
    report = verify(take, take)
    assert report.equal and report.records == len(take)
    assert "bit for bit equal" in str(report)


def test_the_first_difference_in_time_is_named(take):
    again = changed(changed(take, "q", 150, 2, 7.0), "tau", 90, 1, take["tau"][90, 1] + 0.5)
    report = verify(take, again)
    assert not report.equal
    assert (report.series, report.column, report.time) == ("tau", "1", take.time[90])
    assert report.difference is not None and abs(report.difference - 0.5) < 1e-9
    assert "tau.1 at 0.900 s" in str(report)


def test_the_last_bit_counts_and_the_sign_of_zero(take):
    q = take["q"][10, 2]
    assert not verify(take, changed(take, "q", 10, 2, np.nextafter(q, 9))).equal
    assert take["tau"][0, 0] == 0
    assert not verify(take, changed(take, "tau", 0, 0, -np.copysign(0.0, take["tau"][0, 0]))).equal


def test_nan_equals_itself(take):
    bad = changed(take, "v", 5, 0, np.nan)
    assert verify(bad, changed(take, "v", 5, 0, np.nan)).equal
    assert not verify(take, bad).equal


def test_another_length_is_a_difference(take, takes):
    report = verify(take, takes.take(1.0))
    assert not report.equal and "201 and 101 records" in str(report)


def test_another_body_is_a_difference(take):
    fewer = replace(take, series=take.series | {"q": take.series["com"]})
    report = verify(take, fewer)
    assert not report.equal and "columns" in str(report)


def test_a_shift_in_time_is_a_difference(take):
    report = verify(take, replace(take, time=take.time + 0.01))
    assert not report.equal and report.series == "time" and report.time == 0
