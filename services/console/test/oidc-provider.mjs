// A provider that signs in whoever gives a name: an account of that name, with `<name>@customer.example` as its address. Prints its
// issuer. Names that begin with `unverified` have an address that nobody vouches for; `groups` is what follows a dash.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [, , redirectUris = ''] = process.argv;
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'console',
        client_secret: 'secret-of-the-console',
        redirect_uris: redirectUris.split(','),
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    cookies: { keys: ['of these tests'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id.split('-')[0]}@customer.example`,
        email_verified: !id.startsWith('unverified'),
        name: id,
        groups: id.split('-').slice(1),
      }),
    }),
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});
