// The least that a poll can cost: node:http, one GET from Redis, and the stored bytes as they are. No key is asked for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { announce } from '../src/program';

const PREFIX = '/v1/tasks/';
const redis = new Redis(process.env['REDIS_URL'] ?? '');

const server = createServer(async (request, response) => {
  const body = await redis.get(`task:${(request.url ?? '').slice(PREFIX.length)}`);
  if (body === null) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port }));
