"""Who is first, second, third among contenders, by debates of two: a loser tree."""
