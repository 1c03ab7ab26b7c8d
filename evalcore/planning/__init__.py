"""Planning: how wide an interval will be, which questions decide, how many are needed. Every number is assumed."""
