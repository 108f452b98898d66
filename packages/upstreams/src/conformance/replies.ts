import type { JsonObject } from '@mediagate/contracts';
import type { Fixture, Reply } from './fixtures';
import { type Replay, replyWith } from './replay-server';

type Response = Parameters<Replay>[0];

const HTML = { 'content-type': 'text/html' };

export const empty: Replay = (response) => replyWith(response, 200, {}, '');
export const malformed: Replay = (response) => replyWith(response, 200, {}, '{"data": [{');
export const noObject: Replay = (response) => replyWith(response, 200, {}, '[1]');
export const reset: Replay = (response) => response.destroy();
export const redirect: Replay = (response) => replyWith(response, 307, { location: '/elsewhere' }, '');
export const bare500: Replay = (response) => replyWith(response, 500, {}, '');

/** The page of something in front of the vendor. */
export function page(status: number, html = '<html/>'): Replay {
  return (response) => replyWith(response, status, HTML, html);
}

export const truncate: Replay = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": [', () => response.destroy());
};

export const drip: Replay = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
};

/** The right answer with one more member, of so many levels. */
export function nested({ replies: [reply] }: Fixture): Replay {
  const nest = `"nested":${'['.repeat(100_000)}${']'.repeat(100_000)},`;
  const body = JSON.stringify(reply?.body ?? { data: [] }).replace('{', `{${nest}`);
  return (response) => replyWith(response, 200, {}, body);
}

/** Answers each request by the fixture's reply of its place. */
export function replyAs({ replies }: Fixture, response: Response, index: number): void {
  const reply = replies[index];
  if (!reply) throw new Error(`request ${index + 1} was not expected`);
  replyWith(response, reply.status, reply.headers, bodyOf(reply));
}

export function bodyOf({ body, base64 }: Reply): JsonObject | Buffer {
  return body ?? Buffer.from(base64, 'base64');
}
