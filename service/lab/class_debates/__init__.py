"""A class debates: two halves give their side's speaker arguments, upvote them, and vote before and after."""
