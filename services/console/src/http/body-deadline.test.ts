import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import { liftBodyDeadline, setBodyDeadline } from './body-deadline';

const DEADLINE_MS = 50;
const app = express();
app.use(setBodyDeadline(DEADLINE_MS));
app.post('/ignored', (_request, response) => response.status(401).end());
app.post('/slow', liftBodyDeadline);
app.use(express.text());
app.use((request, response) => {
  setTimeout(() => response.end(String(request.body)), 2 * DEADLINE_MS);
});
// Longer than a test: nothing but the deadline ends a connection.
const server = createServer({ keepAliveTimeout: 60_000 }, app);
let port: number;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function send(path: string, body: string, { later = '', connection = 'keep-alive' } = {}) {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  const head = `host: x\r\ncontent-type: text/plain\r\nconnection: ${connection}\r\ncontent-length: 4`;
  socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  if (later !== '') setTimeout(() => socket.write(later), 2 * DEADLINE_MS);
  await once(socket, 'close');
  return answer;
}

describe('the deadline of a body', () => {
  it('ends the connection of who has not sent it all, whether it is read or not', async () => {
    expect(await send('/read', 'bod')).toBe('');
    expect(await send('/ignored', 'bod')).toContain('401');
  });

  it('leaves an answer alone that takes longer', async () => {
    expect(await send('/read', 'body', { connection: 'close' })).toMatch(/200 OK.*body$/s);
  });

  it('is none where files may take their time', async () => {
    expect(await send('/slow', 'bod', { later: 'y', connection: 'close' })).toMatch(/200 OK.*body$/s);
  });
});
