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
  edge <- function(share) {
    uniroot(function(ncp) suppressWarnings(pt(t, df, ncp)) - share, c(t - 10, t + 10), tol = 1e-10,
            extendInt = "downX")$root
  }
  c(g, correction * edge(0.975) / size, correction * edge(0.025) / size)
}

# Few numbers (fewer than five in a group; fewer than ten in one of several): who was in which group is drawn anew, 9,999
# times, and p is the share of arrangements that lie as far out as what was found (Pitman 1937). The report draws others:
# the two agree nearly. The first column is what was found.
arranged <- function(x) cbind(x, replicate(9999, sample(x)))
rank_of <- function(statistics) mean(statistics >= statistics[1] * (1 - 1e-9))
variances <- function(x) colSums((x - rep(colMeans(x), each = nrow(x)))^2) / (nrow(x) - 1)

# Two groups, within strata, by Welch's t.
permutation_p <- function(pairs) {
  apart <- 0
  squared <- 0
  for (pair in pairs) {
    n1 <- length(pair[[1]])
    n0 <- length(pair[[2]])
    x <- arranged(c(pair[[1]], pair[[2]]))
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
  x <- arranged(unlist(groups))
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
compare_by_model <- function(pairs, models, margin) {
  by <- split(pairs, factor(models, unique(models)))
  complete <- Filter(function(own) all(sapply(own, function(pair) all(sapply(pair, nrow) > 0))), by)
  middle <- function(own, side) mean(sapply(own, function(pair) {
    mean(numbers_of(pair[[side]]$y, pair[[side]]$cluster))
  }))
  apart <- as.numeric(unlist(lapply(complete, function(own) middle(own, 1) - middle(own, 2))))
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
comparisons <- load_table("comparisons.csv")
report <- load_table("figures.csv")

is_share <- is.logical(runs$came_out)
analysed <- runs[is.na(runs$left_out) & !is.na(runs$came_out), ]
analysed$y <- as.numeric(analysed$came_out)
analysed$style[is.na(analysed$style)] <- ""

figures <- data.frame(part = character(), number = numeric(), statistic = character(), value = numeric())
tell <- function(part, number, statistics) {
  statistics <- Filter(function(x) length(x) == 1 && !is.na(x), statistics)
  if (!length(statistics)) return(invisible())
  figures <<- rbind(figures, data.frame(part = part, number = number, statistic = names(statistics),
                                        value = as.numeric(unlist(statistics))))
}

cell <- function(subject, style, version) {
  analysed[analysed$subject == subject & analysed$style == style & analysed$version == version, ]
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

# 3. What was compared. A row of comparisons.csv is a stratum: two cells that are alike but for what is compared.
comparisons$style_1[is.na(comparisons$style_1)] <- ""
comparisons$style_2[is.na(comparisons$style_2)] <- ""
families <- list()
for (number in unique(comparisons$number)) {
  strata <- comparisons[comparisons$number == number, ]
  pairs <- lapply(seq_len(nrow(strata)), function(i) {
    list(cell(strata$subject_1[i], strata$style_1[i], strata$version_1[i]),
         cell(strata$subject_2[i], strata$style_2[i], strata$version_2[i]))
  })
  filled <- Filter(function(pair) all(sapply(pair, nrow) > 0), pairs)
  margin <- if (strata$expect[1] == "same") strata$margin[1] else NA
  n <- if (strata$method[1] == "by model") list()
       else list(n_1 = sum(sapply(pairs, function(p) nrow(p[[1]]))), n_2 = sum(sapply(pairs, function(p) nrow(p[[2]]))))
  found <- if (strata$method[1] == "by model") compare_by_model(pairs, strata$subject_1, margin)
           else if (!length(filled)) list()
           else if (is_share) compare_shares(filled, margin)
           else compare_means(filled, margin)
  tell("comparisons", number, c(n, found))
  p <- if (strata$expect[1] == "same") found$p_same else found$p
  families[[strata$family[1]]] <- rbind(families[[strata$family[1]]],
                                        data.frame(number = number, p = if (is.null(p)) NA else p))
}

# Holm's correction within each family.
for (family in families) {
  known <- family[!is.na(family$p), ]
  adjusted <- p.adjust(known$p, "holm")
  for (i in seq_along(adjusted)) tell("comparisons", known$number[i], list(p_holm = adjusted[i]))
}

# 4. Whether anything differs over all versions of one subject and style.
arms <- unique(report[report$part == "arms", c("number", "subject", "style")])
arms$style[is.na(arms$style)] <- ""
for (i in seq_len(nrow(arms))) {
  own <- analysed[analysed$subject == arms$subject[i] & analysed$style == arms$style[i], ]
  by <- split(own, own$version)
  if (is_share) {
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
  cat("\n", own$subject[1], ": ", own$compare[1], "\n", sep = "")
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
