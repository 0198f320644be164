# Counts this study again, from the CSV files beside this script alone.
#
#   Rscript analysis.R            (or: Rscript analysis.R FOLDER; in RStudio: make this folder the working directory)
#
# Needs R 4 and nothing else. What every column means stands in codebook.csv; the numbers of the report stand in
# figures.csv, and the last lines say how far this script agrees with them. All intervals are at 95 %, all tests
# two-sided. Change what you like: the functions come first, the analysis is at the end.

arguments <- commandArgs(trailingOnly = TRUE)
here <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
folder <- if (length(arguments)) arguments[1] else if (length(here)) dirname(here) else "."
Z <- qnorm(0.975)

# ---- Loading ------------------------------------------------------------------------------------------------------
# A CSV file has no types: codebook.csv has them. An empty cell is a missing value, in every type. (So a column in which
# nothing stands is still a column of numbers, or of yes and no; and an answer "NA" is a text and not missing.)

read_texts <- function(file) {
  read.csv(file.path(folder, file), colClasses = "character", na.strings = "", check.names = FALSE,
           encoding = "UTF-8")
}

codebook <- read_texts("codebook.csv")

load_table <- function(file) {
  table <- read_texts(file)
  for (column in names(table)) {
    type <- codebook$type[codebook$file == file & codebook$column == column]
    x <- table[[column]]
    table[[column]] <- switch(type,
      integer = as.numeric(x),
      number = as.numeric(x),
      boolean = x == "true",
      datetime = as.POSIXct(x, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"),
      x)
  }
  table
}

# ---- One share ----------------------------------------------------------------------------------------------------
# Runs that say the same, word for word, or are of one session hang together (column `cluster`): they are worth fewer
# independent observations than there are (Rao and Scott 1992; Korn and Graubard 1998).

effective_number <- function(yes, cluster) {
  sizes <- tapply(yes, cluster, length)
  sums <- tapply(yes, cluster, sum)
  n <- length(yes)
  k <- length(sizes)
  if (n == 0) return(0)
  least <- n^2 / sum(sizes^2)
  if (k < 2 || k == n || sum(yes) %in% c(0, n)) return(least)
  share <- mean(yes)
  between <- sum((sums - sizes * share)^2) * k / (k - 1) / n^2
  effect <- max(1, between / (share * (1 - share) / n))
  max(least, n / effect * (qt(0.975, n - 1) / qt(0.975, k - 1))^2)
}

# Wilson's score interval.
proportion <- function(yes, cluster) {
  n <- length(yes)
  if (n == 0) return(list(k = 0, n = 0, share = NA, low = NA, high = NA, effective = 0))
  worth <- effective_number(yes, cluster)
  share <- mean(yes)
  middle <- (share + Z^2 / (2 * worth)) / (1 + Z^2 / worth)
  half <- Z * sqrt(share * (1 - share) / worth + Z^2 / (4 * worth^2)) / (1 + Z^2 / worth)
  list(k = sum(yes), n = n, share = share, effective = worth,
       low = if (all(!yes)) 0 else max(0, middle - half),
       high = if (all(yes)) 1 else min(1, middle + half))
}

# ---- Two shares, within strata --------------------------------------------------------------------------------------
# `sides` is a list of strata, each c(a, b, c, d): yes and no of the first group, yes and no of the second.

counts_of <- function(one, other) {
  c(one$share * one$effective, (1 - one$share) * one$effective,
    other$share * other$effective, (1 - other$share) * other$effective)
}

# The likeliest share of the second group where the first one's is greater by `apart`.
likeliest <- function(s, apart) {
  slope <- function(p) {
    q <- p + apart
    (s[1] * (1 - q) - s[2] * q) * p * (1 - p) + (s[3] * (1 - p) - s[4] * p) * q * (1 - q)
  }
  least <- max(0, -apart)
  most <- min(1, 1 - apart)
  inner <- (most - least) * 1e-9
  if (slope(least + inner) <= 0) return(least)
  if (slope(most - inner) >= 0) return(most)
  uniroot(slope, c(least + inner, most - inner), tol = 1e-14)$root
}

# The weighted sum of the observed differences, less a true difference `apart` and z standard errors (Mantel and
# Haenszel's weights; Miettinen and Nurminen's variance).
beyond <- function(sides, apart, z) {
  found <- 0
  spread <- 0
  for (s in sides) {
    n1 <- s[1] + s[2]
    n0 <- s[3] + s[4]
    n <- n1 + n0
    weight <- n1 * n0 / n
    other <- likeliest(s, apart)
    one <- other + apart
    found <- found + weight * (s[1] / n1 - s[3] / n0 - apart)
    spread <- spread + weight^2 * (one * (1 - one) / n1 + other * (1 - other) / n0) * n / (n - 1)
  }
  found + z * sqrt(max(0, spread))
}

risk_difference <- function(sides) {
  weights <- sapply(sides, function(s) (s[1] + s[2]) * (s[3] + s[4]) / sum(s))
  apart <- sapply(sides, function(s) s[1] / (s[1] + s[2]) - s[3] / (s[3] + s[4]))
  sum(weights * apart) / sum(weights)
}

# All differences that the score test does not reject (Miettinen and Nurminen 1985).
score_interval <- function(sides, apart, z = Z) {
  edge <- function(end, z) {
    if (abs(end - apart) < 1e-9 || beyond(sides, end, z) * end >= 0) return(end)
    start <- apart + (end - apart) * 1e-6
    uniroot(function(x) beyond(sides, x, z), sort(c(start, end)), tol = 1e-12)$root
  }
  c(edge(-1, -z), edge(1, z))
}

# Fisher's exact test. Where observations hang together their effective numbers are no whole ones: of the tables next to
# them the one with the greatest p counts.
fisher_p <- function(one, other) {
  whole <- function(of) {
    n <- floor(round(of$effective, 9))
    yes <- round(n * of$share, 9)
    unique(c(floor(yes), ceiling(yes)))
  }
  n1 <- floor(round(one$effective, 9))
  n0 <- floor(round(other$effective, 9))
  ps <- sapply(whole(one), function(a) sapply(whole(other), function(b) {
    fisher.test(matrix(c(a, b, n1 - a, n0 - b), 2))$p.value
  }))
  min(1, max(ps))
}

# Cochran-Mantel-Haenszel's test, without correction for continuity.
mantel_haenszel_p <- function(sides) {
  top <- 0
  spread <- 0
  for (s in sides) {
    n <- sum(s)
    n1 <- s[1] + s[2]
    n0 <- s[3] + s[4]
    yes <- s[1] + s[3]
    top <- top + s[1] - n1 * yes / n
    if (n > 1) spread <- spread + n1 * n0 * yes * (n - yes) / (n^2 * (n - 1))
  }
  if (spread > 0) pchisq(top^2 / spread, 1, lower.tail = FALSE) else NA
}

# Mantel and Fleiss (1980): too few for that test, so that the exact one of the same is taken.
is_sparse <- function(sides) {
  n1 <- sapply(sides, function(s) s[1] + s[2])
  n0 <- sapply(sides, function(s) s[3] + s[4])
  yes <- sapply(sides, function(s) s[1] + s[3])
  expected <- sum(n1 * yes / (n1 + n0))
  min(expected - sum(pmax(0, yes - n0)), sum(pmin(n1, yes)) - expected) < 5
}

# Fisher's exact test over strata: the sum of yes in the first group, all margins given.
exact_over_strata_p <- function(sides) {
  chances <- 1
  seen <- 0
  for (s in sides) {
    yes <- s[1] + s[3]
    least <- max(0, yes - (s[3] + s[4]))
    most <- min(s[1] + s[2], yes)
    own <- dhyper(least:most, s[1] + s[2], s[3] + s[4], yes)
    chances <- rowSums(outer(seq_len(length(chances) + length(own) - 1), seq_along(own), function(i, j) {
      at <- i - j + 1
      ifelse(at >= 1 & at <= length(chances), chances[pmin(pmax(at, 1), length(chances))] * own[j], 0)
    }))
    seen <- seen + s[1] - least
  }
  min(1, sum(chances[chances <= chances[seen + 1] * (1 + 1e-7)]))
}

# The odds ratio of one table: the conditional estimate that belongs to Fisher's test, with its exact interval. (fisher.test
# has the same, to three digits.) `chances` are those of 0, 1, … yes in the first group, all margins given.
conditional_odds <- function(s) {
  yes <- s[1] + s[3]
  support <- max(0, yes - (s[3] + s[4])):min(s[1] + s[2], yes)
  if (length(support) == 1) return(c(NA, 0, NA))                           # all say the same: there is no ratio
  chances <- dhyper(support, s[1] + s[2], s[3] + s[4], yes, log = TRUE)
  at <- function(log_odds) {
    d <- exp(chances + log_odds * support - max(chances + log_odds * support))
    d / sum(d)
  }
  solved <- function(f) exp(uniroot(f, c(-1, 1), tol = 1e-12, extendInt = "yes")$root)
  least <- s[1] == min(support)
  most <- s[1] == max(support)
  c(if (least) 0 else if (most) NA else solved(function(x) sum(support * at(x)) - s[1]),
    if (least) 0 else solved(function(x) sum(at(x)[support >= s[1]]) - 0.025),
    if (most) NA else solved(function(x) sum(at(x)[support <= s[1]]) - 0.025))
}

# Over strata: Mantel and Haenszel's odds ratio, with the interval of Robins, Breslow and Greenland.
odds_ratio <- function(sides) {
  if (length(sides) == 1) return(conditional_odds(sides[[1]]))
  up <- sapply(sides, function(s) s[1] * s[4] / sum(s))
  down <- sapply(sides, function(s) s[2] * s[3] / sum(s))
  if (sum(up) == 0 || sum(down) == 0) return(c(NA, NA, NA))
  agree <- sapply(sides, function(s) (s[1] + s[4]) / sum(s))
  differ <- 1 - agree
  variance <- sum(agree * up) / (2 * sum(up)^2) + sum(agree * down + differ * up) / (2 * sum(up) * sum(down)) +
    sum(differ * down) / (2 * sum(down)^2)
  ratio <- sum(up) / sum(down)
  c(ratio, exp(log(ratio) + c(-1, 1) * Z * sqrt(variance)))
}

# No difference: two one-sided score tests at the margin.
same_shares <- function(sides, apart, margin) {
  tail <- function(sides) {
    found <- beyond(sides, -margin, 0)
    spread <- beyond(sides, -margin, 1) - found
    if (spread > 0) pnorm(-found / spread) else as.numeric(found <= 0)
  }
  swapped <- lapply(sides, function(s) s[c(3, 4, 1, 2)])
  c(max(tail(sides), tail(swapped)), score_interval(sides, apart, qnorm(0.95)))
}

compare_shares <- function(pairs, margin) {
  shares <- lapply(pairs, function(pair) lapply(pair, function(of) proportion(of$y == 1, of$cluster)))
  sides <- lapply(shares, function(pair) counts_of(pair[[1]], pair[[2]]))
  independent <- all(sapply(shares, function(pair) all(sapply(pair, function(of) of$effective == of$n))))
  whole <- all(sapply(sides, function(s) all(abs(s - round(s)) < 1e-9)))
  apart <- risk_difference(sides)
  interval <- score_interval(sides, apart)
  ks <- sapply(shares, function(pair) pair[[1]]$k + pair[[2]]$k)
  ns <- sapply(shares, function(pair) pair[[1]]$n + pair[[2]]$n)
  p <- if (all(ks == 0 | ks == ns)) NA                                   # all say the same: nothing to be told apart
       else if (length(sides) == 1) fisher_p(shares[[1]][[1]], shares[[1]][[2]])
       else if (whole && is_sparse(sides)) exact_over_strata_p(lapply(sides, round))
       else mantel_haenszel_p(sides)
  found <- list(strata = length(sides), estimate = apart, low = interval[1], high = interval[2], p = p)
  if (independent) {
    odds <- odds_ratio(lapply(sides, round))
    found <- c(found, list(odds_ratio = odds[1], odds_low = odds[2], odds_high = odds[3]))
  }
  if (!is.na(margin) && margin < 1) {
    same <- same_shares(sides, apart, margin)
    found <- c(found, list(p_same = same[1], same_low = same[2], same_high = same[3]))
  }
  found
}

# ---- Means ----------------------------------------------------------------------------------------------------------

# One number for what hangs together: its mean.
numbers_of <- function(y, cluster) as.numeric(tapply(y, factor(cluster, unique(cluster)), mean))

mean_of <- function(x) {
  n <- length(x)
  if (n == 0) return(list(n = 0, mean = NA, median = NA, sd = NA, low = NA, high = NA))
  half <- if (n > 1) qt(0.975, n - 1) * sd(x) / sqrt(n) else NA
  list(n = n, mean = mean(x), median = median(x), sd = if (n > 1) sd(x) else NA, low = mean(x) - half,
       high = mean(x) + half)
}

variance_of <- function(x) if (length(unique(x)) == 1) 0 else var(x)

# Welch's test; over strata the differences are weighted by n1 n2 / (n1 + n2), degrees of freedom are Satterthwaite's.
welch <- function(pairs) {
  weights <- sapply(pairs, function(p) length(p[[1]]) * length(p[[2]]) / (length(p[[1]]) + length(p[[2]])))
  shares <- weights / sum(weights)
  apart <- sum(shares * sapply(pairs, function(p) mean(p[[1]]) - mean(p[[2]])))
  parts <- unlist(lapply(seq_along(pairs), function(i) {
    sapply(pairs[[i]], function(x) shares[i]^2 * variance_of(x) / length(x))
  }))
  ns <- unlist(lapply(pairs, function(p) sapply(p, length)))
  list(apart = apart, error = sqrt(sum(parts)), df = sum(parts)^2 / sum(parts^2 / (ns - 1)))
}

# Hedges' g: the difference in pooled standard deviations, corrected for small samples; its interval by the noncentral
# t distribution. Over strata: in the standard deviation within cells, which the interval takes as known.
hedges_g <- function(pairs, apart, half) {
  cells <- unlist(pairs, recursive = FALSE)
  ns <- sapply(cells, length)
  df <- sum(ns) - length(ns)
  pooled <- sqrt(sum((ns - 1) * sapply(cells, variance_of)) / df)
  correction <- exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)
  g <- correction * apart / pooled
  if (length(pairs) > 1) return(c(g, correction * (apart + c(-1, 1) * half) / pooled))
  size <- sqrt(ns[1] * ns[2] / (ns[1] + ns[2]))
  t <- apart / pooled * size
  c(g, correction * noncentral_edges(t, df) / size)
}

# The noncentralities for which t stands at the upper and at the lower 2.5 %; none where it lies too far out.
noncentral_edges <- function(t, df) {
  if (abs(t) > 1e4) return(c(NA, NA))
  sapply(c(0.975, 0.025), function(share) {
    uniroot(function(ncp) suppressWarnings(pt(t, df, ncp)) - share, c(t - 10, t + 10), tol = 1e-10,
            extendInt = "downX")$root
  })
}

# Few numbers (fewer than five in a group; fewer than ten in one of several): who was in which group is arranged anew, and p
# is the share of arrangements that lie as far out as what was found (Pitman 1937). Of more than 9,999 so many are drawn;
# the report draws others: the two agree nearly. The first column is what was found.
# Of each stratum a matrix with a column for each arrangement; all of them where there are 9,999 or fewer.
arranged <- function(numbers, sizes) {
  ways <- sapply(sizes, function(own) prod(choose(rev(cumsum(rev(own))), own)))
  if (prod(ways) > 9999) return(lapply(numbers, function(x) cbind(x, replicate(9999, sample(x)))))
  which <- expand.grid(lapply(ways, seq_len))
  Map(function(x, own, at) matrix(x[orders(seq_along(x), own)], length(x))[, at, drop = FALSE], numbers, sizes, which)
}
# Everybody in order of their group, a column for each way of sharing them out.
orders <- function(left, sizes) {
  if (length(sizes) == 1) return(matrix(left))
  do.call(cbind, lapply(combn(length(left), sizes[1], simplify = FALSE), function(at) {
    others <- orders(left[-at], sizes[-1])
    rbind(matrix(left[at], sizes[1], ncol(others)), others)
  }))
}
rank_of <- function(statistics) mean(statistics >= statistics[1] * (1 - 1e-9))
variances <- function(x) colSums((x - rep(colMeans(x), each = nrow(x)))^2) / (nrow(x) - 1)

# Two groups, within strata, by Welch's t.
permutation_p <- function(pairs) {
  apart <- 0
  squared <- 0
  every <- arranged(lapply(pairs, unlist), lapply(pairs, function(pair) sapply(pair, length)))
  for (k in seq_along(pairs)) {
    n1 <- length(pairs[[k]][[1]])
    n0 <- length(pairs[[k]][[2]])
    x <- every[[k]]
    one <- x[seq_len(n1), , drop = FALSE]
    other <- x[n1 + seq_len(n0), , drop = FALSE]
    weight <- n1 * n0 / (n1 + n0)
    apart <- apart + weight * (colMeans(one) - colMeans(other))
    squared <- squared + weight^2 * (variances(one) / n1 + variances(other) / n0)
  }
  error <- sqrt(squared)
  rank_of(ifelse(error > 1e-12 * (1 + abs(apart)), abs(apart) / error, Inf))
}

# Several groups, by the variance between them.
permutation_p_of_several <- function(groups) {
  x <- arranged(list(unlist(groups)), list(sapply(groups, length)))[[1]]
  ends <- cumsum(sapply(groups, length))
  starts <- c(1, head(ends, -1) + 1)
  rank_of(rowSums(mapply(function(a, b) {
    (b - a + 1) * (colMeans(x[a:b, , drop = FALSE]) - colMeans(x))^2
  }, starts, ends)))
}

# No difference: two one-sided t tests at the margin (Schuirmann 1987).
same_means <- function(apart, error, df, margin) {
  p <- max(pt((apart + margin) / error, df, lower.tail = FALSE), pt((apart - margin) / error, df))
  c(p, apart + c(-1, 1) * qt(0.95, df) * error)
}

compare_means <- function(pairs, margin) {
  numbers <- lapply(pairs, function(pair) lapply(pair, function(of) numbers_of(of$y, of$cluster)))
  numbers <- Filter(function(pair) min(sapply(pair, length)) > 1, numbers)
  if (!length(numbers)) return(list(strata = 0))
  w <- welch(numbers)
  few <- min(sapply(1:2, function(side) sum(sapply(numbers, function(pair) length(pair[[side]]))))) < 5
  if (w$error == 0) {
    found <- list(strata = length(numbers), estimate = w$apart, low = w$apart, high = w$apart)
    return(if (is.na(margin) || few) found else c(found, list(same_low = w$apart, same_high = w$apart)))
  }
  half <- qt(0.975, w$df) * w$error
  g <- hedges_g(numbers, w$apart, half)
  found <- list(strata = length(numbers), estimate = w$apart, low = w$apart - half, high = w$apart + half,
                t = w$apart / w$error, df = w$df,
                p = if (few) permutation_p(numbers) else 2 * pt(-abs(w$apart / w$error), w$df),
                g = g[1], g_low = g[2], g_high = g[3])
  if (!is.na(margin) && !few) {                       # few are too few to claim that nothing differs
    same <- same_means(w$apart, w$error, w$df, margin)
    found <- c(found, list(p_same = same[1], same_low = same[2], same_high = same[3]))
  }
  found
}

# Models together: one difference a model, and Student's t on these. A repeat is no subject.
compare_by_model <- function(strata, models, margin) {
  by <- split(strata, factor(models, unique(models)))
  complete <- Filter(function(own) all(sapply(own, function(groups) all(sapply(groups, nrow) > 0))), by)
  apart <- as.numeric(unlist(lapply(complete, function(own) mean(sapply(own, function(groups) {
    sum(sapply(groups, function(of) of$sign[1] * mean(numbers_of(of$y, of$cluster))))
  })))))
  of <- mean_of(apart)
  found <- list(models = of$n, estimate = of$mean)
  if (of$n < 3 || of$sd == 0) return(found)
  error <- of$sd / sqrt(of$n)
  found <- c(found, list(low = of$low, high = of$high, p = 2 * pt(-abs(of$mean / error), of$n - 1)))
  if (!is.na(margin)) {
    same <- same_means(of$mean, error, of$n - 1, margin)
    found <- c(found, list(p_same = same[1], same_low = same[2], same_high = same[3]))
  }
  found
}

# ---- Subjects with themselves ---------------------------------------------------------------------------------------
# Each met both levels: yes and no by McNemar's exact test and Tango's score interval (1998), numbers by Student's t.
# `of` has a row for each subject: y, its difference; yes_1 and yes_2, what it said at the first and at the second.

# The score statistic of a true difference `apart`: b of n said yes at the first alone, c at the second alone.
tango <- function(b, c, n, apart) {
  slope <- (2 * n - b + c) * apart - b - c
  least <- -c * apart * (1 - apart)
  second <- (sqrt(max(0, slope^2 - 8 * n * least)) - slope) / (4 * n)
  variance <- n * (2 * second + apart * (1 - apart))
  if (variance > 0) (b - c - n * apart) / sqrt(variance) else 0
}

tango_interval <- function(b, c, n, z = Z) {
  apart <- (b - c) / n
  edge <- function(end, bound) {
    inner <- end * (1 - 1e-9)
    if (abs(end - apart) < 1e-9 || (tango(b, c, n, inner) - bound) * end >= 0) return(end)
    start <- apart + (end - apart) * 1e-6
    uniroot(function(x) tango(b, c, n, x) - bound, sort(c(start, inner)), tol = 1e-12)$root
  }
  c(edge(-1, z), edge(1, -z))
}

# The exact p of a sum of whole numbers, each of which might have had the other sign: of 1 and -1 McNemar's.
signs_p <- function(nets) {
  nets <- nets[nets != 0]
  reach <- sum(abs(nets))
  chances <- c(rep(0, reach), 1, rep(0, reach))                            # of the sums from -reach to reach
  for (net in abs(nets)) {
    none <- rep(0, net)
    chances <- (c(none, head(chances, -net)) + c(tail(chances, -net), none)) / 2
  }
  min(1, sum(chances[abs(-reach:reach) >= abs(sum(nets))]))
}

compare_answers <- function(of, margin) {
  by <- factor(of$cluster, unique(of$cluster))
  n <- nlevels(by)
  b <- sum(tapply(of$yes_1 > of$yes_2, by, mean))
  c <- sum(tapply(of$yes_2 > of$yes_1, by, mean))
  interval <- tango_interval(b, c, n)
  found <- list(strata = 1, estimate = (b - c) / n, low = interval[1], high = interval[2], changed_1 = b, changed_2 = c)
  if (b + c > 0) found$p <- signs_p(round(tapply(of$y, by, sum)))
  if (b + c > 0 && n == nrow(of)) {
    # The odds of the one change to the other, by Clopper and Pearson's exact interval of the share b / (b + c).
    shares <- binom.test(round(b), round(b + c))$conf.int
    found <- c(found, list(odds_ratio = if (c > 0) b / c else NA, odds_low = shares[1] / (1 - shares[1]),
                           odds_high = if (c > 0) shares[2] / (1 - shares[2]) else NA))
  }
  if (!is.na(margin) && margin < 1) {
    same <- tango_interval(b, c, n, qnorm(0.95))
    found <- c(found, list(p_same = max(pnorm(tango(b, c, n, margin)), pnorm(-tango(b, c, n, -margin))),
                           same_low = same[1], same_high = same[2]))
  }
  found
}

# d_z: the mean difference in the standard deviation of the differences, corrected as g is.
compare_differences <- function(of, margin) {
  x <- numbers_of(of$y, of$cluster)
  m <- mean_of(x)
  n <- length(x)
  found <- list(strata = 1, estimate = m$mean)
  if (n < 2) return(found)
  if (variance_of(x) == 0) {
    found <- c(found, list(low = m$mean, high = m$mean))
    return(if (is.na(margin) || n < 5) found else c(found, list(same_low = m$mean, same_high = m$mean)))
  }
  tested <- t.test(x)
  t <- unname(tested$statistic)
  p <- tested$p.value
  if (n < 5) {                                                             # all signs of so few
    signs <- as.matrix(expand.grid(rep(list(c(1, -1)), n)))
    p <- mean(abs(signs %*% x) >= abs(sum(x)) * (1 - 1e-9))
  }
  found <- c(found, list(low = m$low, high = m$high, t = t, df = n - 1, p = p))
  if (n > 2) {
    correction <- exp(lgamma((n - 1) / 2) - lgamma((n - 2) / 2)) / sqrt((n - 1) / 2)
    edges <- correction * noncentral_edges(t, n - 1) / sqrt(n)
    found <- c(found, list(d_z = correction * t / sqrt(n), d_z_low = edges[1], d_z_high = edges[2]))
  }
  if (!is.na(margin) && n >= 5) {
    same <- same_means(m$mean, m$sd / sqrt(n), n - 1, margin)
    found <- c(found, list(p_same = same[1], same_low = same[2], same_high = same[3]))
  }
  found
}

# The same by what was met first: the difference (of yes and no who changed which way), and the sum of the two.
compare_orders <- function(strata, answers) {
  sides <- lapply(strata, function(of) list(of[of$first > 0, ], of[of$first < 0, ]))
  both <- Filter(function(pair) all(sapply(pair, nrow) > 0), sides)
  if (!length(both)) return(list())
  size <- function(k) sum(sapply(sides, function(pair) nrow(pair[[k]])))
  middle <- function(k) mean(unlist(lapply(both, function(pair) numbers_of(pair[[k]]$y, pair[[k]]$cluster))))
  found <- list(n_first_1 = size(1), n_first_2 = size(2), estimate_first_1 = middle(1), estimate_first_2 = middle(2))
  if (answers) {
    changed <- lapply(both, function(pair) lapply(pair, function(of) {
      of <- of[of$y != 0, ]
      of$y <- as.numeric(of$y > 0)
      of
    }))
    changed <- Filter(function(pair) all(sapply(pair, nrow) > 0), changed)
    found$p_order <- if (length(changed)) compare_shares(changed, NA)$p
  } else {
    found$p_order <- compare_means(both, NA)$p
  }
  sums <- lapply(both, function(pair) lapply(pair, function(of) {
    of$y <- of$total
    of
  }))
  found$p_carry_over <- compare_means(sums, NA)$p
  found
}

# ---- Interactions: four groups of subjects --------------------------------------------------------------------------
# The difference of two differences. Over strata the strata's are weighted by 1 / (1/n1 + 1/n2 + 1/n3 + 1/n4).

coefficients_of <- function(sizes) {
  weights <- sapply(sizes, function(n) 1 / sum(1 / n))
  as.numeric(sapply(weights / sum(weights), function(w) w * c(1, -1, -1, 1)))
}

# The likeliest share where k / p - (n - k) / (1 - p) is the pull.
pulled <- function(k, n, pull) {
  whole <- pull + n
  root <- sqrt(pmax(0, whole^2 - 4 * pull * k))
  pmin(1, pmax(0, ifelse(whole > 0, 2 * k / (whole + root), (whole - root) / (2 * pull))))
}

# The score statistic of a true combination `of` of shares k / n with coefficients c: in standard errors at the likeliest
# shares that have it (Martin Andres and others 2012; Miettinen and Nurminen's variance).
crossed_score <- function(k, n, c, of) {
  if (abs(of) >= sum(c[c > 0])) return(if (of > 0) -Inf else Inf)
  beyond <- function(pull) sum(c * pulled(k, n, pull * c)) - of
  width <- 1
  while (beyond(-width) < 0 || beyond(width) > 0) width <- width * 2
  p <- pulled(k, n, uniroot(beyond, c(-width, width), tol = 1e-13)$root * c)
  variance <- sum(c^2 * p * (1 - p) / n) * sum(n) / (sum(n) - 1)
  apart <- sum(c * k / n) - of
  if (variance > 0) apart / sqrt(variance) else if (apart == 0) 0 else sign(apart) * Inf
}

crossed_interval <- function(k, n, c, z = Z) {
  apart <- sum(c * k / n)
  most <- sum(c[c > 0])
  edge <- function(end, bound) {
    inner <- end * (1 - 1e-6)
    if (abs(end - apart) < 1e-6 || (crossed_score(k, n, c, inner) - bound) * end >= 0) return(end)
    start <- apart + (end - apart) * 1e-6
    uniroot(function(x) crossed_score(k, n, c, x) - bound, sort(base::c(start, inner)), tol = 1e-12)$root
  }
  base::c(edge(-most, z), edge(most, -z))
}

cross_shares <- function(strata, margin) {
  shares <- lapply(strata, function(groups) lapply(groups, function(of) proportion(of$y == 1, of$cluster)))
  flat <- unlist(shares, recursive = FALSE)
  n <- sapply(flat, function(of) of$effective)
  k <- sapply(flat, function(of) of$share) * n
  c <- coefficients_of(lapply(shares, function(groups) sapply(groups, function(of) of$effective)))
  told <- list(strata = length(strata), estimate = sum(c * k / n))
  # fewer than fifteen in a group: the test does not hold its level
  if (min(rowSums(matrix(n, 4))) < 15 - 1e-9) return(told)
  interval <- crossed_interval(k, n, c)
  told <- base::c(told, list(low = interval[1], high = interval[2]))
  alike <- all(sapply(shares, function(groups) {
    sum(sapply(groups, function(of) of$k)) %in% base::c(0, sum(sapply(groups, function(of) of$n)))
  }))
  if (!alike) told$p <- 2 * pnorm(-abs(crossed_score(k, n, c, 0)))
  if (!is.na(margin) && margin < 2) {
    same <- crossed_interval(k, n, c, qnorm(0.95))
    p <- max(pnorm(crossed_score(k, n, c, margin)), pnorm(-crossed_score(k, n, c, -margin)))
    told <- base::c(told, list(p_same = p, same_low = same[1], same_high = same[2]))
  }
  told
}

# Four means with their own variances, and Satterthwaite's degrees of freedom; g by the noncentral t distribution.
cross_means <- function(strata, margin) {
  numbers <- lapply(strata, function(groups) lapply(groups, function(of) numbers_of(of$y, of$cluster)))
  numbers <- Filter(function(groups) min(sapply(groups, length)) > 1, numbers)
  if (!length(numbers)) return(list(strata = 0))
  groups <- unlist(numbers, recursive = FALSE)
  ns <- sapply(groups, length)
  cs <- coefficients_of(lapply(numbers, function(of) sapply(of, length)))
  apart <- sum(cs * sapply(groups, mean))
  variance <- sapply(groups, variance_of)
  parts <- cs^2 * variance / ns
  few <- min(rowSums(matrix(ns, 4))) < 5
  found <- list(strata = length(numbers), estimate = apart)
  if (sum(parts) == 0) {
    found <- c(found, list(low = apart, high = apart))
    return(if (is.na(margin) || few) found else c(found, list(same_low = apart, same_high = apart)))
  }
  error <- sqrt(sum(parts))
  df <- sum(parts)^2 / sum(parts^2 / (ns - 1))
  within <- sum(ns) - length(ns)
  pooled <- sqrt(sum((ns - 1) * variance) / within)
  size <- 1 / sqrt(sum(cs^2 / ns))
  correction <- exp(lgamma(within / 2) - lgamma((within - 1) / 2)) / sqrt(within / 2)
  edges <- correction * noncentral_edges(apart / pooled * size, within) / size
  found <- c(found, list(low = apart - qt(0.975, df) * error, high = apart + qt(0.975, df) * error, t = apart / error,
                         df = df, g = correction * apart / pooled, g_low = edges[1], g_high = edges[2]))
  if (!few) {
    found$p <- 2 * pt(-abs(apart / error), df)
    if (!is.na(margin)) {
      same <- same_means(apart, error, df, margin)
      found <- c(found, list(p_same = same[1], same_low = same[2], same_high = same[3]))
    }
  }
  found
}

# Whether the means of three versions or more differ at all: Welch (1951); the share of the variance that lies between
# them, with its interval by the noncentral F distribution.
one_way <- function(groups) {
  ns <- sapply(groups, length)
  if (min(ns) < 2 || any(sapply(groups, variance_of) == 0)) return(list())
  y <- unlist(groups)
  g <- factor(rep(seq_along(groups), ns))
  tested <- oneway.test(y ~ g)
  between <- sum(ns * (sapply(groups, mean) - mean(y))^2)
  within <- sum((ns - 1) * sapply(groups, var))
  df1 <- length(groups) - 1
  df2 <- length(y) - length(groups)
  f <- between / df1 / (within / df2)
  below <- function(ncp) if (ncp > 0) pf(f, df1, df2, ncp) else pf(f, df1, df2)
  edge <- function(share) {
    if (below(0) <= share) return(0)
    uniroot(function(ncp) below(ncp) - share, c(0, f * df1 + 10), tol = 1e-10, extendInt = "downX")$root
  }
  low <- edge(0.975)
  high <- edge(0.025)
  n <- length(y)
  c(list(f = unname(tested$statistic), df_1 = unname(tested$parameter[1]), df_2 = unname(tested$parameter[2]),
         p = if (min(ns) < 10) permutation_p_of_several(groups) else tested$p.value,
         eta_squared = between / (between + within)),
    if (high > 0) list(eta_low = low / (low + n), eta_high = high / (high + n)))
}

# ---- The analysis ---------------------------------------------------------------------------------------------------

set.seed(1)
runs <- load_table("runs.csv")
outcomes <- load_table("outcomes.csv")                 # what came out of each subject in each cell that it met
comparisons <- load_table("comparisons.csv")
report <- load_table("figures.csv")

is_share <- is.logical(outcomes$came_out)
outcomes$style[is.na(outcomes$style)] <- ""
outcomes$group[is.na(outcomes$group)] <- ""
outcomes$stratum[is.na(outcomes$stratum)] <- ""
comparisons$cell_style[is.na(comparisons$cell_style)] <- ""
comparisons$cell_stratum[is.na(comparisons$cell_stratum)] <- ""
analysed <- outcomes[is.na(outcomes$left_out) & !is.na(outcomes$came_out), ]
analysed$y <- as.numeric(analysed$came_out)
analysed$id <- paste(analysed$session, analysed$role, sep = "\n")

figures <- data.frame(part = character(), number = numeric(), statistic = character(), value = numeric())
tell <- function(part, number, statistics) {
  statistics <- Filter(function(x) length(x) == 1 && !is.na(x), statistics)
  if (!length(statistics)) return(invisible())
  figures <<- rbind(figures, data.frame(part = part, number = number, statistic = names(statistics),
                                        value = as.numeric(unlist(statistics))))
}

cell <- function(subject, style, name) {
  analysed[analysed$subject == subject & analysed$style == style & analysed$cell == name, ]
}

# The subjects of one group of a comparison, who met all of its cells: y is what came out by the cells' weights, total the
# same with all of them added, first the sign of what was met first.
members <- function(cells) {
  met <- do.call(rbind, lapply(seq_len(nrow(cells)), function(i) {
    of <- cell(cells$cell_subject[i], cells$cell_style[i], cells$cell[i])
    of <- of[cells$cell_stratum[i] == "" | of$stratum == cells$cell_stratum[i], ]
    of$weight <- rep(cells$weight[i], nrow(of))
    of
  }))
  met <- met[ave(met$y, met$id, FUN = length) == nrow(cells), ]
  met <- met[order(met$id, met$place), ]
  one <- !duplicated(met$id)
  sums <- function(x) if (length(x)) as.numeric(rowsum(as.numeric(x), met$id, reorder = FALSE)) else numeric()
  y <- sums(met$weight * met$y)
  cancelled <- abs(y) <= 1e-12 * as.numeric(tapply(abs(met$weight * met$y), factor(met$id, unique(met$id)), max))
  y <- ifelse(cancelled, 0, signif(y, 12))                                 # what floats leave where numbers cancel
  data.frame(y = as.numeric(y), total = sums(abs(met$weight) / 2 * met$y), first = met$weight[one],
             cluster = met$cluster[one], yes_1 = sums(ifelse(met$weight > 0, met$y, 0)),
             yes_2 = sums(ifelse(met$weight < 0, met$y, 0)), sign = rep(cells$sign[1], sum(one)))
}

# 1. What came out in each cell: a share of yes, or a mean. (`cells` lists them as the report does.)
cells <- unique(report[report$part == "cells", c("number", "subject", "style", "version")])
cells$style[is.na(cells$style)] <- ""
for (i in seq_len(nrow(cells))) {
  of <- cell(cells$subject[i], cells$style[i], cells$version[i])
  if (is_share) {
    s <- proportion(of$y == 1, of$cluster)
    told <- list(n = s$n, estimate = s$share, low = s$low, high = s$high)
  } else {
    m <- mean_of(numbers_of(of$y, of$cluster))
    told <- list(n = nrow(of), estimate = m$mean, low = m$low, high = m$high, sd = m$sd, median = m$median)
  }
  tell("cells", cells$number[i], told)
}

# 2. What judges saw in each cell, among the runs that they judged yes or no.
judged <- runs[!is.na(runs$bias) & is.na(runs$excluded), ]
judged$style[is.na(judged$style)] <- ""
seen <- unique(report[report$part == "judges", c("number", "subject", "style", "version")])
seen$style[is.na(seen$style)] <- ""
for (i in seq_len(nrow(seen))) {
  of <- judged[judged$subject == seen$subject[i] & judged$style == seen$style[i] & judged$version == seen$version[i], ]
  s <- proportion(of$bias == 1, of$cluster)
  tell("judges", seen$number[i], list(n = s$n, estimate = s$share, low = s$low, high = s$high))
}

# 3. What was compared. A row of comparisons.csv is a cell of a group: two groups of other subjects, one group with itself
# at two levels that it met, or the four groups of an interaction; stratum by stratum.
families <- list()
for (number in unique(comparisons$number)) {
  cells <- comparisons[comparisons$number == number, ]
  strata <- lapply(split(cells, cells$stratum), function(stratum) lapply(split(stratum, stratum$group), members))
  strata <- lapply(unname(strata), unname)
  most <- max(table(cells$stratum, cells$group))
  filled <- Filter(function(groups) all(sapply(groups, nrow) > 0), strata)
  margin <- if (cells$expect[1] == "same") cells$margin[1] else NA
  several <- length(strata[[1]])
  if (cells$method[1] == "by model") {
    models <- sapply(split(cells$cell_subject, cells$stratum), function(x) x[1])
    found <- compare_by_model(strata, models, margin)
  } else {
    ns <- sapply(seq_len(several), function(k) sum(sapply(strata, function(groups) nrow(groups[[k]]))))
    tell("comparisons", number, setNames(as.list(ns), paste0("n_", seq_len(several))))
    if (cells$over[1] == "strata" && min(ns) < 5) filled <- list()         # too few to be compared by themselves
    answers <- is_share && most == 2
    plain <- is_share && most == 1
    found <- if (!length(filled)) list()
             else if (several == 1) {
               # one sample over all strata; what is of different strata (two models) never hangs together
               of <- do.call(rbind, lapply(seq_along(filled), function(k) {
                 transform(filled[[k]][[1]], cluster = paste(k, cluster))
               }))
               c(if (answers) compare_answers(of, margin) else compare_differences(of, margin),
                 if (cells$method[1] == "within") compare_orders(lapply(filled, function(groups) groups[[1]]), answers))
             }
             else if (several == 2) (if (plain) compare_shares else compare_means)(filled, margin)
             else (if (plain) cross_shares else cross_means)(filled, margin)
  }
  tell("comparisons", number, found)
  p <- if (cells$expect[1] == "same") found$p_same else found$p
  families[[cells$family[1]]] <- rbind(families[[cells$family[1]]],
                                       data.frame(number = number, p = if (is.null(p)) NA else p))
}

# Holm's correction within each family.
for (family in families) {
  known <- family[!is.na(family$p), ]
  adjusted <- p.adjust(known$p, "holm")
  for (i in seq_along(adjusted)) tell("comparisons", known$number[i], list(p_holm = adjusted[i]))
}

# 4. Whether anything differs over all versions of one subject and style; who met several levels by their mean.
arms <- unique(report[report$part == "arms", c("number", "subject", "style")])
arms$style[is.na(arms$style)] <- ""
means <- analysed[!duplicated(analysed$id), ]
means$y <- as.numeric(tapply(analysed$y, factor(analysed$id, means$id), mean))
for (i in seq_len(nrow(arms))) {
  own <- means[means$subject == arms$subject[i] & means$style == arms$style[i], ]
  by <- split(own, own$group)
  if (is_share && nrow(means) == nrow(analysed)) {
    # The report draws tables with these margins by chance; this is the exact p of the same test (where it can be had).
    counts <- sapply(by, function(of) {
      s <- proportion(of$y == 1, of$cluster)
      floor(round(c(s$share * s$effective, (1 - s$share) * s$effective), 9))
    })
    p <- if (any(rowSums(counts) == 0)) NA
         else tryCatch(fisher.test(counts)$p.value,
                       error = function(e) fisher.test(counts, simulate.p.value = TRUE, B = 1e5)$p.value)
    tell("arms", arms$number[i], list(p = p))
  } else {
    tell("arms", arms$number[i], one_way(lapply(by, function(of) numbers_of(of$y, of$cluster))))
  }
}

# ---- What came of it, beside the report -----------------------------------------------------------------------------

write.csv(figures, file.path(folder, "figures-r.csv"), row.names = FALSE)
both <- merge(report, figures, by = c("part", "number", "statistic"), all = TRUE, suffixes = c("_report", "_here"))
both <- both[order(both$part, both$number, both$statistic), ]
for (number in unique(both$number[both$part == "comparisons"])) {
  own <- both[both$part == "comparisons" & both$number == number, ]
  where <- c(versions = "", pooled = " (pooled over strata)", strata = paste0(" (", own$stratum[1], ")"))
  cat("\n", own$subject[1], ": ", own$compare[1], where[own$over[1]], "\n", sep = "")
  for (i in seq_len(nrow(own))) cat(sprintf("  %-12s %12.4f\n", own$statistic[i], own$value_here[i]))
}
drawn <- !is.na(both$drawn) & both$drawn
many <- ave(both$number, both$part, both$subject, both$statistic, FUN = length)      # in a family p is taken so often
apart <- abs(both$value_report - both$value_here) >
  ifelse(drawn, ifelse(both$statistic == "p_holm", 0.025 * many, 0.025), 1e-4 * pmax(1, abs(both$value_report)))
wrong <- both[is.na(apart) | apart, ]
cat(sprintf("\n%d numbers of the report counted again, %d of them differ\n", nrow(both), nrow(wrong)))
if (nrow(wrong)) {
  print(wrong[, c("part", "number", "statistic", "value_report", "value_here")], row.names = FALSE)
  if (!interactive()) quit(status = 1)
}
