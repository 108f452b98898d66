import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_TABLE } from '@mediagate/contracts';

/** What HTTP itself finds wrong, before there is a request: status and words by the parser's code. */
const FAULTS: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const MALFORMED: [status: number, message: string] = [400, 'The request is not valid HTTP.'];

/** Answers what never became a request in the shape of every other error, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = FAULTS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ error: { code: status, message, type: ERROR_TABLE.invalid_request.type } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
