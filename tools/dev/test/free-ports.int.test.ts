import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { freePort } from '@mediagate/testkit/servers';
import { requireFreePorts } from '../src/free-ports';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function busyPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('names the variables that have one port', async () => {
  const port = await freePort();
  await expect(requireFreePorts({ PORT: port, CONSOLE_PORT: port })).rejects.toThrow(
    `PORT and CONSOLE_PORT are both ${port}: give each a port of its own`,
  );
});

it('names every port that is in use, with the variable that sets it', async () => {
  const [api, operators] = [await busyPort(), await busyPort()];
  const ports = { PORT: api, CONSOLE_PORT: await freePort(), ADMIN_PORT: operators };
  await expect(requireFreePorts(ports)).rejects.toThrow(
    `port ${api} is in use: set PORT to a free one; port ${operators} is in use: set ADMIN_PORT to a free one`,
  );
  await expect(requireFreePorts({ PORT: await freePort() })).resolves.toBeUndefined();
});
