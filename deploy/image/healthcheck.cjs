// The image's health check: exit code 0 while the service in this container is ready. A storage that fails does not count: whoever ends
// unhealthy containers would lose the answers that workers hold until they can be stored.
const { get } = require('node:http');

const TIMEOUT_MS = 3000;

function end(code) {
  process.exit(code);
}

get(
  { host: '127.0.0.1', port: process.env.HEALTH_PORT, path: '/readyz?except=storage', timeout: TIMEOUT_MS },
  ({ statusCode }) => end(statusCode === 200 ? 0 : 1),
)
  .on('timeout', () => end(1))
  .on('error', () => end(1));
