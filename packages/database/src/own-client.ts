import { Client, type ClientConfig } from 'pg';

/** A connection for one command alone. Where it breaks, the statement under way is rejected, and the process goes on. */
export function createOwnClient(config: ClientConfig): Client {
  const client = new Client(config);
  client.on('error', () => undefined);
  return client;
}
