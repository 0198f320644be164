# Elenchus with its embedded model: debates without key, server or network.
#
#   docker build -t elenchus .
#   docker run --rm -it -v elenchus:/data elenchus debate "Should homework be abolished?" \
#       --pro local:smollm2-135m --con local:smollm2-135m --judge local:smollm2-135m --export /data/report
#
# In a browser (http://localhost:8321; docs/service.md, and compose.yaml for a server with TLS):
#   docker run --rm -it -p 127.0.0.1:8321:8321 -v elenchus:/data elenchus serve
#
# With more extras: docker build --build-arg EXTRAS="local detect" … ("local detect train" brings torch with CUDA: gigabytes).
# The base is one image, by its digest; what is installed is checked against constraints-hashed.txt, and listed in
# /opt/elenchus/sbom.cdx.json (CycloneDX).

FROM python:3.13.14-slim-bookworm@sha256:67a1e1f215ccda113cfc024e8639049257e88f273898f595b61476d128d387e8 AS build
ARG EXTRAS="local"
ENV UV_COMPILE_BYTECODE=1 UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never UV_REQUIRE_HASHES=1
WORKDIR /src
COPY constraints-hashed.txt pyproject.toml ./
RUN sed -n '/^uv==/,/[^\\]$/p' constraints-hashed.txt > uv.txt \
    && pip install --no-cache-dir --require-hashes --requirement uv.txt \
    && uv venv /opt/elenchus && uv venv /opt/release
# The dependencies and the weights first: these layers are made anew only when they change.
RUN for extra in $EXTRAS; do set -- "$@" --extra "$extra"; done \
    && uv pip install --python /opt/elenchus/bin/python --constraint constraints-hashed.txt \
    --requirements pyproject.toml "$@" --group weights
RUN uv pip install --python /opt/release/bin/python --constraint constraints-hashed.txt --group release
COPY LICENSE README.md ./
COPY bot bot
COPY config config
COPY debate_engine debate_engine
COPY detectors detectors
COPY service service
COPY storage storage
COPY src/elenchus/__init__.py src/elenchus/py.typed src/elenchus/
RUN uv build --quiet --wheel --build-constraints constraints-hashed.txt --out-dir dist \
    && UV_REQUIRE_HASHES=0 uv pip install --python /opt/elenchus/bin/python --no-deps dist/*.whl \
    && /opt/release/bin/cyclonedx-py environment /opt/elenchus/bin/python --output-file /opt/elenchus/sbom.cdx.json

FROM python:3.13.14-slim-bookworm@sha256:67a1e1f215ccda113cfc024e8639049257e88f273898f595b61476d128d387e8
# libgomp1: the embedded model computes with OpenMP.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libgomp1=12.* \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --create-home elenchus \
    && install --directory --owner elenchus --group elenchus /data
COPY --from=build /opt/elenchus /opt/elenchus
# Within a container it listens everywhere; who reaches it is decided by what is published of it (-p).
ENV ELENCHUS_HOME=/data ELENCHUS_WEB_HOST=0.0.0.0 PATH=/opt/elenchus/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8321
# Of a container that runs a server (elenchus serve, bot or up); any other is healthy as long as it runs.
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=2 CMD ["elenchus", "doctor", "--alive", "60"]
ENTRYPOINT ["elenchus"]
CMD ["--help"]
