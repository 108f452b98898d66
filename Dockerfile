# One image for all services; which of them runs is the command:
#
#   docker build --tag mediagate .
#   docker run mediagate node services/image/dist/main.js
#   docker run mediagate node tools/cli/dist/main.js migrate
#
# docs/deployment.md says what each needs from its environment.

ARG NODE_IMAGE=node:24-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Packages come before the sources, so that a change to these alone fetches nothing anew.
COPY .pnpmfile.cjs pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx -y pnpm@10 fetch
COPY . .
RUN npx -y pnpm@10 install --offline --frozen-lockfile
RUN node scripts/generate.mjs && node scripts/build.mjs
# What stays is what runs: no sources, no tests, nothing that serves development alone.
RUN rm -rf node_modules */*/node_modules */*/src */*/test */*/bin scripts packages/testkit packages/client tools/deployment tools/dev
RUN find services/console/web -mindepth 1 -maxdepth 1 ! -name dist -exec rm -r {} +
# Of the libraries, those that are no part of a program.
RUN npx -y pnpm@10 install --prod --offline --frozen-lockfile --filter mediagate
# The engine's compiled code of each program: a service without its environment writes that and ends. Node looks for it in the folder
# whose name ends with its user's number; the image's user reads it, and cannot change it.
RUN for main in services/*/dist/main.js; do node "$main" > /dev/null 2>&1 || true; done && \
    cd node_modules/.cache/mediagate/compiled && for made in *-0; do mv "$made" "${made%-0}-1000"; done && chmod -R a+rX .

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=32 \
    HOST=0.0.0.0 \
    HEALTH_HOST=0.0.0.0 \
    HEALTH_PORT=9090 \
    MEDIAGATE_HOME=/var/lib/mediagate \
    MEDIAGATE_CONFIG=/etc/mediagate/channels.yaml \
    FFMPEG_PATH=/usr/bin/ffmpeg
# For covers of videos, for cutting and for converting: Debian keeps it supplied with security fixes.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ffmpeg && apt-get clean && rm -rf /var/lib/apt/lists/*
# Volumes that are mounted here take over their owner. Group 0 may write, whose member OpenShift's users without a name are.
RUN mkdir -p /var/lib/mediagate /var/lib/mediagate-work && chown 1000:0 /var/lib/mediagate* && chmod 775 /var/lib/mediagate*
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
COPY --from=build /app/services services
COPY --from=build /app/tools tools
COPY --from=build /app/prisma prisma
COPY --from=build /app/deploy deploy
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
EXPOSE 8080 8081 9090
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "deploy/image/healthcheck.cjs"]
# The services handle SIGTERM themselves: stop taking work, finish what is in flight, close.
CMD ["node", "services/api/dist/main.js"]
