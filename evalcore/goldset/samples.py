"""The app's ten sample queries. They are for trying the search, and never questions of the gold set."""

SAMPLE_QUERIES = (
    "difference between population and sample",
    "what is stratified sampling",
    "how to make a stem-and-leaf plot",
    "how do I find the interquartile range",
    "when is the median better than the mean",
    "what does standard deviation measure",
    "what does the slope tell you",
    "what is a residual",
    "what does r squared mean",
    "is extrapolation allowed",
)
