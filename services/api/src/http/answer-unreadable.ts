import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_TABLE } from '@mediagate/contracts';
import { requestIdOf } from './request-id';

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
  const body = faultBody(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `X-Request-Id: ${randomUUID()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** HTTP/1.1 demands the header. Node would refuse by itself, but with neither a body nor an id. */
export function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

export function answerMissingHost(request: IncomingMessage, response: ServerResponse): void {
  answerFault(request, response, [400, 'The Host header is missing.']);
}

export function answerUnknownExpectation(request: IncomingMessage, response: ServerResponse): void {
  answerFault(request, response, [417, 'The only expectation that can be met is "Expect: 100-continue".']);
}

/** The body that may follow is not read, so the connection cannot be used again. */
function answerFault(request: IncomingMessage, response: ServerResponse, [status, message]: [number, string]): void {
  const body = faultBody(status, message);
  response.writeHead(status, {
    Connection: 'close',
    'X-Request-Id': requestIdOf(request),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function faultBody(status: number, message: string): string {
  return JSON.stringify({ error: { code: status, message, type: ERROR_TABLE.invalid_request.type } });
}
