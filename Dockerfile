# The service in an image of its own. It writes below /data only.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Without the folder of the client, its workspace, npm installs nothing of it.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && chmod 755 dist/cli.js

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim-modules.mjs ./scripts/
RUN npm ci --omit=dev --no-audit --no-fund && node scripts/slim-modules.mjs node_modules

FROM node:24.21.0-bookworm-slim
ARG VERSION=unreleased
LABEL org.opencontainers.image.title="Storage Access Service" \
      org.opencontainers.image.description="Decides who may open a self-storage unit." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# Nothing installs packages here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* /usr/local/bin/yarn* \
 && ln -s /app/dist/cli.js /usr/local/bin/storage-access \
 && mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
# User 1000. A volume or folder that is mounted at /data must belong to it.
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process serves. /health/ready says whether it can work: ending the service mends no store that is away.
# The first start on a long log fills the views, which takes its time.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10m --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Young objects of a bulk fit into 64 MB: they are not copied twice (docs/performance.md).
CMD ["node", "--max-semi-space-size=64", "--heap-growing-percent=100", "dist/main.js"]
