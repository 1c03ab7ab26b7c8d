"""Worked figures of section s03, recomputed from the data in its text."""

from statistics import mean

from tests.corpus.reading import data, says, table

S = "s03"


def _students():
    return data(S, "the register of 12,000 students")[0]


def _surveyed():
    return data(S, "For 200 students out of")[0]


def _trees():
    return int(data(S, "Take an orchard of 80 trees")[0])


def _rows():
    """The number of rows and the number of trees in each."""
    rows, length = data(S, "trees stand in 8 rows of 10")
    return int(rows), int(length)


def _read_digits():
    """The labels accepted, the position of the last label read, and all the pairs shown."""
    pairs = data(S, "shows the pairs 47 91 08 63 47 00 22 85 74 15.")
    accepted, last = [], 0
    for place, label in enumerate(pairs):
        if 1 <= label <= _trees() and label not in accepted:
            accepted.append(label)
            last = place
        if len(accepted) == 5:
            break
    return accepted, last, pairs


def _calls():
    n, calls = data(S, "wants to listen to 40 of the 960 calls")
    return int(n), int(calls)


def _fruit():
    """The mass of fruit on every tree, numbered along the rows: ends light, inner trees heavy."""
    end, inner = data(S, "bear 24 kg of fruit each and the eight inner trees 36 kg each")
    rows, length = _rows()
    return ([end] + [inner] * (length - 2) + [end]) * rows


def _systematic_means(k):
    return [mean(_fruit()[start::k]) for start in range(k)]


def _reply():
    drawn, replied = data(S, "of the 200 students drawn, only 110 reply")
    (favour,) = data(S, "that 66 of the")
    return drawn, replied, favour


def _true_percentage():
    favour, total = data(S, "showed that 4,320 of the 12,000 students")
    return 100 * favour / total


def test_the_chance_of_a_student_in_a_simple_random_sample_is_recomputed():
    says(S, "a chance of {:.0f} / {:,.0f}, or 1 in {:.0f}", _surveyed(), _students(), _students() / _surveyed())


def test_the_orchard_sample_is_read_from_the_random_digits():
    accepted, _, _ = _read_digits()
    says(S, "The sample is therefore {:02.0f}, {:02.0f}, {:02.0f}, {:02.0f} and {:02.0f}", *accepted)
    says(S, "{:02.0f} is accepted;", accepted[0])
    says(S, "{:02.0f} and {:02.0f} are accepted; the second", *accepted[1:3])
    says(S, "{:02.0f} and {:02.0f} are accepted. The sample", *accepted[3:])


def test_the_discarded_pairs_of_digits_are_recomputed():
    accepted, last, pairs = _read_digits()
    outside = [label for label in pairs[: last + 1] if not 1 <= label <= _trees()]
    repeated = [label for label in accepted if pairs[: last + 1].count(label) > 1]
    says(S, "{:02.0f} is discarded, since no tree bears it", outside[0])
    says(S, "{:02.0f} and {:02.0f} are not labels", *outside[1:])
    says(S, "the second {:02.0f} is a repeat", *repeated)
    says(S, "Rejecting the repeated {:02.0f} made", *repeated)


def test_the_unused_pair_of_digits_is_recomputed():
    _, last, pairs = _read_digits()
    says(S, "the remaining pair, {:02.0f}, is never used", *pairs[last + 1 :])


def test_the_chances_of_the_next_tree_with_and_without_replacement_are_recomputed():
    n = _trees()
    says(S, "a chance of 1 / {} = {:.4f} of being next", n - 1, 1 / (n - 1))
    says(S, "against 1 / {} = {:.4f} with replacement", n, 1 / n)


def test_the_chances_of_the_next_student_agree_to_three_figures():
    n = int(_students())
    without, with_replacement = f"{1 / (n - 1):.7f}", f"{1 / n:.7f}"
    assert without == with_replacement
    says(S, "1 / {:,} and 1 / {:,}, are both {} to three significant figures", n - 1, n, without)


def test_the_faculties_make_up_the_register():
    assert sum(table(S, "Faculty")["Students"]) == _students()


def test_the_allocation_to_the_sciences_is_recomputed():
    science = table(S, "Faculty")["Students"][0]
    n, total = _surveyed(), _students()
    says(S, "the formula gives {:.0f} × {:,.0f} / {:,.0f} = {:.0f}", n, science, total, n * science / total)


def test_the_faculty_shares_are_recomputed():
    faculties = table(S, "Faculty")
    assert faculties["Share (%)"] == [100 * size / _students() for size in faculties["Students"]]


def test_the_proportional_allocation_is_recomputed():
    faculties = table(S, "Faculty")
    assert faculties["Sample"] == [_surveyed() * size / _students() for size in faculties["Students"]]
    assert sum(faculties["Sample"]) == _surveyed()


def test_the_cluster_sample_of_rows_is_recomputed():
    rows, length = _rows()
    assert rows * length == _trees()
    (drawn,) = data(S, "a grower might draw 2 rows by lot")
    says(S, "weigh the fruit of all {:.0f} trees in them", drawn * length)
    says(S, "so {0:.0f} trees from two rows usually carry less information than {0:.0f} drawn", drawn * length)
    says(S, "Every tree has a chance of {:.0f} / {} = {:.2f}", drawn, rows, drawn / rows)


def test_the_stratified_sample_of_rows_is_recomputed():
    each, rows = data(S, "Sampling 5 trees at random from each of 8 orchard rows")
    assert rows == _rows()[0]
    says(S, "would give {:.0f} trees with no row left out", each * rows)


def test_the_sampling_interval_of_the_calls_is_recomputed():
    n, calls = _calls()
    says(S, "k = N / n = {} / {} = {:.0f}; a random number from 1 to {:.0f}", calls, n, calls / n, calls / n)
    says(S, "Each call has a chance of 1 in {:.0f}", calls / n)


def test_the_calls_taken_are_recomputed():
    n, calls = _calls()
    (start,) = data(S, "supplies the start, say 17;")
    taken = list(range(int(start), calls + 1, calls // n))
    assert len(taken) == n
    says(S, "the calls taken are {}, {}, {} and so on up to {}", *taken[:3], taken[-1])
    says(S, "calls {} and {} can never both be heard", taken[0], taken[0] + 1)


def test_the_interval_that_is_not_whole_is_recomputed():
    n, _ = _calls()
    (calls,) = data(S, "to the end of the list: 970 calls give")
    k = int(calls / n)
    sizes = {len(range(start, int(calls) + 1, k)) for start in range(1, k + 1)}
    says(S, "{:.0f} calls give {:.0f} / {} = {:.2f}, so k = {}", calls, calls, n, calls / n, k)
    says(S, "the sample has {} or {} calls depending on the start", *sorted(sizes))


def test_the_trees_in_step_with_the_rows_are_recomputed():
    k, start = (int(v) for v in data(S, "use k = 10 and start at 1"))
    taken = list(range(start, _trees() + 1, k))
    says(S, "the trees chosen are {}, {}, {}, up to {}, the first tree in every row", *taken[:3], taken[-1])
    assert {(tree - 1) % _rows()[1] for tree in taken} == {0}


def test_the_orchard_mean_is_recomputed():
    end, inner = min(_fruit()), max(_fruit())
    length = _rows()[1]
    assert _fruit()[:length].count(end) == 2
    assert _fruit()[:length].count(inner) == 8
    says(S, "(2 × {:.0f} + 8 × {:.0f}) / {} = {:.1f} kg per tree", end, inner, length, mean(_fruit()))


def test_the_systematic_means_in_step_with_the_rows_are_recomputed():
    (k,) = data(S, "A systematic sample with k = 10 yields")
    means = _systematic_means(int(k))
    low = [start for start, m in enumerate(means, 1) if m == min(means)]
    says(S, "a mean of exactly {:.0f} kg if the start is {} or {}", min(means), *low)
    says(S, "and {:.0f} kg otherwise", max(means))
    assert set(means) == {min(means), max(means)}
    closest = min(abs(m - mean(_fruit())) for m in means)
    says(S, "No start comes closer to {:.1f} than {:.1f} kg", mean(_fruit()), closest)


def test_the_systematic_means_out_of_step_with_the_rows_are_recomputed():
    (k,) = data(S, "with k = 7 every start mixes ends and middles")
    means = _systematic_means(int(k))
    assert all(min(_fruit()) < m < max(_fruit()) for m in means)
    says(S, "the possible sample means run only from {:.1f} to {:.1f} kg", min(means), max(means))


def test_the_response_rate_and_the_share_of_replies_are_recomputed():
    drawn, replied, favour = _reply()
    says(S, "{:.0f} reply, a response rate of {:.0f}%", replied, 100 * replied / drawn)
    says(S, "{:.0f} of the {:.0f}, or {:.0f}%, want later closing", favour, replied, 100 * favour / replied)
    says(S, "The other {:.0f} are silent", drawn - replied)


def test_the_limits_left_by_nonresponse_are_recomputed():
    drawn, replied, favour = _reply()
    most = favour + drawn - replied
    low, high = 100 * favour / drawn, 100 * most / drawn
    says(S, "would be {:.0f} / {:.0f} = {:.0f}%; if all were in favour", favour, drawn, low)
    says(S, "if all were in favour, {:.0f} / {:.0f} = {:.0f}%", most, drawn, high)
    says(S, "anything from {:.0f}% to {:.0f}% possible for these {:.0f} students", low, high, drawn)
    says(S, "a second letter to the {:.0f}", drawn - replied)


def test_the_census_percentage_is_recomputed():
    says(S, "of the 12,000 students, {:.0f}%, want later closing", _true_percentage())


def test_the_error_of_the_random_sample_is_recomputed():
    n, favour = data(S, "A simple random sample of 200, fully answered, found 76 in favour")
    percentage = 100 * favour / n
    says(S, "in favour, or {:.0f}%, an error of {:.0f} percentage points", percentage, percentage - _true_percentage())


def test_the_error_of_the_door_interviews_is_recomputed():
    favour, n = data(S, "At the library door, 1,240 out of 2,000 were in favour")
    percentage = 100 * favour / n
    says(S, "in favour, or {:.0f}%, an error of {:.0f} points", percentage, percentage - _true_percentage())
    assert n == 10 * _surveyed()
