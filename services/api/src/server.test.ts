import { connect } from 'node:net';
import express from 'express';
import { listen } from './server';

const HOST = '127.0.0.1';

describe('listen', () => {
  it('names the port and the variable when the port is taken', async () => {
    const first = await listen(express(), { port: 0, host: HOST });
    await expect(listen(express(), { port: first.port, host: HOST })).rejects.toThrow(
      `port ${first.port} is in use: stop what listens there, or set PORT to another one`,
    );
    await first.drain();
  });

  it('lets a request in hand finish, tells its client to leave, and takes no other, when it drains', async () => {
    let arrived: () => void = () => undefined;
    let answer: () => void = () => undefined;
    const inHand = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const app = express().get('/slow', (_request, response) => {
      answer = () => response.end('done');
      arrived();
    });
    const server = await listen(app, { port: 0, host: HOST });
    const url = `http://${HOST}:${server.port}/slow`;
    const slow = fetch(url);
    await inHand;
    const drained = server.drain();
    await expect(connectTo(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    answer();
    expect(await (await slow).text()).toBe('done');
    await drained;
  });

  it('gives requests and responses the prototypes of the application at birth', async () => {
    const app = express();
    const { setPrototypeOf } = Object;
    let changed = 0;
    Object.setPrototypeOf = (object: object, prototype: object | null) => {
      if (Object.getPrototypeOf(object) !== prototype) changed += 1;
      return setPrototypeOf(object, prototype);
    };
    app.get('/', (request, response) => {
      response.end(request.path);
    });
    const server = await listen(app, { port: 0, host: HOST });
    try {
      changed = 0;
      expect(await (await fetch(`http://${HOST}:${server.port}/`)).text()).toBe('/');
      expect(changed).toBe(0);
    } finally {
      Object.setPrototypeOf = setPrototypeOf;
      await server.drain();
    }
  });
});

function connectTo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, HOST, () => {
      socket.destroy();
      resolve();
    }).on('error', reject);
  });
}
