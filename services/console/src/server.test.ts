import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { consoleSettings } from './config';
import { listen } from './server';

const HOST = '127.0.0.1';

it('on `::` listens on every address, of IPv4 too', async () => {
  const app = express().get('/', (_request, response) => void response.end('done'));
  const server = await listen(app, { port: 0, host: '::', keepAliveMs: 1000, isBehindProxy: true });
  const answer = await fetch(`http://${HOST}:${server.port}/`, { headers: { connection: 'close' } });
  expect(await answer.text()).toBe('done');
  await server.drain();
});

it('announces in each answer how long it keeps an idle connection, and closes that one when it drains', async () => {
  const keepAliveMs = consoleSettings.KEEP_ALIVE_SECONDS.default * 1000;
  const app = express().get('/', (_request, response) => void response.end('done'));
  const server = await listen(app, { port: 0, host: HOST, keepAliveMs, isBehindProxy: false });
  const socket = connect(server.port, HOST);
  const answered = once(socket, 'data');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String((await answered)[0])).toContain('\r\nKeep-Alive: timeout=130\r\n');
  const closed = once(socket, 'close');
  await server.drain();
  await closed;
});
