// A provider that signs in whoever gives a name: an account of that name, with `<name>@customer.example` as its address. Prints its
// issuer. Names that begin with `unverified` have an address that nobody vouches for; those that begin with `silent`, one of which nothing
// is said. `groups` and `realm_access.roles` are what follows a dash. A second argument names the methods by which clients show their secret.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [, , redirectUris = '', methods = 'client_secret_basic,client_secret_post'] = process.argv;
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
        token_endpoint_auth_method: methods.split(',')[0],
      },
    ],
    clientAuthMethods: methods.split(','),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'realm_access'] },
    pkce: { required: () => true },
    cookies: { keys: ['of these tests'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id.split('-')[0]}@customer.example`,
        ...(!id.startsWith('silent') && { email_verified: !id.startsWith('unverified') }),
        name: id,
        groups: id.split('-').slice(1),
        realm_access: { roles: id.split('-').slice(1) },
      }),
    }),
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});
