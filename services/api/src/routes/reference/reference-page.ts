import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isUnchanged } from '../../http/conditional';
import type { OpenHandler } from '../../http/handler';
import { sendStream } from '../../http/send-stream';

/** Of the empty style sheets that the script makes and then fills rule by rule. */
const EMPTY = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** The page asks nobody but this service, and runs nothing but the script below. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${EMPTY}`,
  "connect-src 'self'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>mediagate API reference</title>
</head>
<body>
<redoc spec-url="/openapi.json" disable-telemetry="true"></redoc>
<script type="module" src="/docs/redoc.js"></script>
</body>
</html>
`;

/** GET and HEAD /docs: the operation table for readers. */
export const getReference: OpenHandler = ({ response }) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Content-Length', Buffer.byteLength(PAGE));
  response.end(PAGE);
};

/** GET and HEAD /docs/redoc.js, from its package: nothing of it is read before somebody asks, and none is kept. */
export const getReferenceScript: OpenHandler = async ({ request, response }) => {
  const file = require.resolve('redoc/bundles/redoc.standalone.js');
  const { size, mtimeMs } = await stat(file);
  const etag = `"${size.toString(36)}-${mtimeMs.toString(36)}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (isUnchanged(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
  response.setHeader('Content-Length', size);
  if (request.method === 'HEAD') response.end();
  else await sendStream(createReadStream(file), response);
};
