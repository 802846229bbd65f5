# The whole service, or one of its processes: without a command it migrates the database and runs web and worker
# (npm run serve); compose.yaml runs the three apart. The base is pinned; .nvmrc has the same version of Node.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Source maps and type declarations are for whoever works on those packages.
RUN npm ci --omit=dev \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=dependencies /app/node_modules node_modules
COPY package.json Procfile ./
COPY migrations migrations
COPY public public
COPY views views
COPY src src
# The files belong to root: what runs here can't change them.
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# Healthy is who answers. Whether the database does too is /readyz, for whoever decides where requests go: an outage of
# the database is no reason to end this process.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/serve.ts"]
