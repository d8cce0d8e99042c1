# Footfall as an image for amd64 and arm64, on Debian (glibc, which the embedded ClickHouse needs).
#
#   docker build -t footfall .
#   docker build -t footfall --build-arg PACKAGE_OPTIONS=--without-city-data .   130 MB less, no places
#
# Any image with Node 24 and npm can build it, any Debian with a newer glibc can run it.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
# What changes rarely comes first: these layers are kept from build to build.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --no-progress --loglevel=error
COPY . .
ARG PACKAGE_OPTIONS=""
RUN node tools/package.mjs --folder /footfall --without-node ${PACKAGE_OPTIONS}

FROM ${BASE_IMAGE}
RUN groupadd --gid 10001 footfall \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin footfall \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /footfall/node_modules /opt/footfall/node_modules
COPY --from=build /footfall/LICENSE /footfall/NOTICE /opt/footfall/
COPY --from=build /footfall/bin /opt/footfall/bin
COPY --from=build /footfall/app /opt/footfall/app

ARG VERSION=""
ARG REVISION=""
LABEL org.opencontainers.image.title="Footfall" \
      org.opencontainers.image.description="Self-hosted web analytics, contacts, short links, forms, webhooks and A/B content in one program." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

ENV PATH=/opt/footfall/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data
# By number: Kubernetes can tell that it is not root.
USER 10001:10001
# The only place that is written to: the root file system may be read-only.
VOLUME /data
WORKDIR /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Alive, not ready: a restart does not bring back a database server that is away.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["footfall", "health"]
# The launcher is replaced by Node, which is process 1 and gets the signals.
ENTRYPOINT ["footfall"]
CMD ["serve"]
