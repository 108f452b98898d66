import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_TABLE, type Message, message, type Reason } from '@mediagate/contracts';
import { preferredLanguage, say } from '@mediagate/languages';
import { requestIdOf } from '../exchange';
import type { ErrorAnswer } from './error-body';

type HttpFault = [status: number, message: Message, reason: Reason];

/** Faults of HTTP itself that Node finds before there is a request, by their error codes. */
const FAULTS: Readonly<Record<string, HttpFault>> = {
  HPE_HEADER_OVERFLOW: [431, message('headers_too_large'), 'payload_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, message('request_too_late'), 'request_timeout'],
};
const MALFORMED: HttpFault = [400, message('http_invalid'), 'invalid_request'];

/** Answers what never became a request in the shape of every other error, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = FAULTS[error.code ?? ''] ?? MALFORMED;
  const [status] = fault;
  // Whether the header that names a language was read is not known.
  const requestId = randomUUID();
  const body = faultBody(fault, { language: 'en', requestId });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `X-Request-Id: ${requestId}`,
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
  answerFault(request, response, [400, message('host_header_missing'), 'invalid_request']);
}

export function answerUnknownExpectation(request: IncomingMessage, response: ServerResponse): void {
  answerFault(request, response, [417, message('expectation_unknown'), 'invalid_request']);
}

/** The body that may follow is not read, so the connection cannot be used again. */
function answerFault(request: IncomingMessage, response: ServerResponse, fault: HttpFault): void {
  const [status] = fault;
  const language = preferredLanguage(request.headers['accept-language']);
  const requestId = requestIdOf(request);
  const body = faultBody(fault, { language, requestId });
  response.writeHead(status, {
    Connection: 'close',
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(language === 'en' ? {} : { 'Content-Language': language }),
  });
  response.end(body);
}

function faultBody([status, problem, reason]: HttpFault, { language, requestId }: ErrorAnswer): string {
  const { type } = ERROR_TABLE.invalid_request;
  return JSON.stringify({
    error: { code: status, message: say(problem, language), type, reason, request_id: requestId },
  });
}
