import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Request, type Response } from 'express';
import { allowPages, readPageOrigins } from './cors';

const ORIGINS = ['https://app.example', 'https://other.example'];

/** Headers of an answer to a page, by what the operator lists. */
function headersFor(origin: string | undefined, origins: string[]): OutgoingHttpHeaders {
  const request = { headers: { origin } } as Request;
  const response: Response = new ServerResponse(new IncomingMessage(new Socket())) as Response;
  Object.setPrototypeOf(response, express.response);
  const pages = readPageOrigins(origins);
  if (pages !== undefined) allowPages({ request, response }, pages);
  return response.getHeaders();
}

it.each([
  ['of a listed origin', 'https://other.example', ORIGINS, 'https://other.example'],
  ['of another origin', 'https://evil.example', ORIGINS, undefined],
  ['of an origin that only begins as one', 'https://app.example.evil', ORIGINS, undefined],
  ['of a sandbox', 'null', ORIGINS, undefined],
  ['where there is none', undefined, ORIGINS, undefined],
  ['of any origin, where all may', 'https://evil.example', ['*'], '*'],
  ['where nobody may', 'https://app.example', [], undefined],
])('a page %s may read what the operator lets it', (_whose, origin, origins, allowed) => {
  expect(headersFor(origin, origins)['access-control-allow-origin']).toBe(allowed);
});

it('caches are told that the answer goes by the origin, also where it is refused', () => {
  for (const origin of ['https://app.example', 'https://evil.example', undefined]) {
    expect(headersFor(origin, ORIGINS)).toMatchObject({ vary: 'Origin' });
  }
  expect(headersFor('https://app.example', ['*'])).not.toHaveProperty('vary');
});

it('a page may read the headers that clients go by', () => {
  const { 'access-control-expose-headers': names } = headersFor('https://app.example', ORIGINS);
  expect(String(names).split(', ')).toEqual(
    expect.arrayContaining(['X-Request-Id', 'X-Task-Id', 'Retry-After', 'Idempotency-Replayed']),
  );
});
