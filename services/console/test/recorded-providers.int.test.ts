import { createProvider, type ProviderOptions } from '../src/oidc/provider';
import { parseRoleMap } from '../src/oidc/role-map';
import { type Recorded, startRecorded } from './recorded-provider';

const EMAIL = 'kim@customer.example';
const BOTH = ['client_secret_post', 'client_secret_basic'];
const ADMIN = { kind: 'operator', role: 'admin' };

interface Case extends Recorded {
  /** The settings, and what comes of them. */
  by: {
    roleClaim?: string;
    trustsEmail?: boolean;
    /** How the client shows its secret. */
    secret: 'body' | 'header';
    email?: string;
    rights?: object | 'none';
    missing?: string;
    reason?: string;
  };
}

/** Metadata and claims as the provider's own documentation has them, with the settings that docs/sign-in.md names. */
const CASES: Record<string, Case> = {
  // learn.microsoft.com/entra/identity-platform/id-token-claims-reference, …/optional-claims-reference
  'Entra ID, with app roles': {
    methods: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    idToken: {
      ver: '2.0',
      tid: 't',
      oid: 'o',
      name: 'Kim',
      preferred_username: EMAIL,
      email: EMAIL,
      roles: ['admins'],
    },
    userinfo: { name: 'Kim', email: EMAIL },
    by: { roleClaim: 'roles', trustsEmail: true, secret: 'body', email: EMAIL, rights: ADMIN },
  },
  'Entra ID, whose addresses nobody trusts': {
    methods: BOTH,
    idToken: { ver: '2.0', name: 'Kim', preferred_username: EMAIL, email: EMAIL },
    userinfo: { name: 'Kim', email: EMAIL },
    by: { secret: 'body', missing: 'address_not_verified' },
  },
  'Entra ID, without the optional claim of the address': {
    methods: BOTH,
    idToken: { ver: '2.0', name: 'Kim', preferred_username: EMAIL },
    by: { trustsEmail: true, secret: 'body', missing: 'no_address' },
  },
  'Entra ID, with more groups than a token holds': {
    methods: BOTH,
    idToken: { email: EMAIL, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } },
    by: { roleClaim: 'groups', trustsEmail: true, secret: 'body', email: EMAIL, rights: 'none', missing: 'no_role' },
  },
  'Entra ID, where nobody answers about the user and a role lets in who came before': {
    methods: BOTH,
    idToken: { email: EMAIL, roles: ['admins'] },
    userinfo: {},
    userinfoStatus: 503,
    by: { roleClaim: 'roles', secret: 'body', rights: ADMIN, missing: 'address_not_verified', reason: '503' },
  },
  // developer.okta.com/docs/guides/customize-tokens-groups-claim; a token of the code flow is thin
  Okta: {
    methods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
    idToken: { ver: 1, idp: '00o1', amr: ['pwd'] },
    userinfo: { name: 'Kim', email: EMAIL, email_verified: true, groups: ['Everyone', 'admins'] },
    by: { roleClaim: 'groups', secret: 'body', email: EMAIL, rights: ADMIN },
  },
  // keycloak.org/docs/latest/server_admin: mappers of realm roles, "Add to userinfo"
  Keycloak: {
    methods: ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'tls_client_auth', 'client_secret_jwt'],
    idToken: { name: 'Kim', preferred_username: 'kim', email: EMAIL, email_verified: false },
    userinfo: { email: EMAIL, email_verified: false, realm_access: { roles: ['offline_access', 'admins'] } },
    by: { roleClaim: 'realm_access.roles', trustsEmail: true, secret: 'body', email: EMAIL, rights: ADMIN },
  },
  'Keycloak, with roles of a client whose name has dots': {
    methods: BOTH,
    idToken: { email: EMAIL, email_verified: true, resource_access: { 'console.example': { roles: ['admins'] } } },
    by: { roleClaim: 'resource_access.console.example.roles', secret: 'body', email: EMAIL, rights: ADMIN },
  },
  // developers.google.com/identity/openid-connect/openid-connect
  Google: {
    methods: BOTH,
    idToken: { azp: 'a', hd: 'customer.example', email: EMAIL, email_verified: true, name: 'Kim' },
    by: { secret: 'body', email: EMAIL },
  },
  // auth0.com/docs/secure/tokens/json-web-tokens/create-custom-claims
  Auth0: {
    methods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    idToken: {
      nickname: 'kim',
      name: 'Kim',
      email: EMAIL,
      email_verified: true,
      'https://media.example/roles': ['admins'],
    },
    by: { roleClaim: 'https://media.example/roles', secret: 'body', email: EMAIL, rights: ADMIN },
  },
  // docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address: false by default since 2025.10
  Authentik: {
    methods: BOTH,
    idToken: { name: 'Kim', preferred_username: 'kim', email: EMAIL, email_verified: false, groups: ['admins'] },
    by: { roleClaim: 'groups', trustsEmail: true, secret: 'body', email: EMAIL, rights: ADMIN },
  },
  // docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html, where email_verified is a text
  Cognito: {
    methods: ['client_secret_basic', 'client_secret_post'],
    idToken: { 'cognito:username': 'kim', 'cognito:groups': ['admins'] },
    userinfo: { username: 'kim', email: EMAIL, email_verified: 'true' },
    by: { roleClaim: 'cognito:groups', secret: 'body', email: EMAIL, rights: ADMIN },
  },
  'a provider that takes the secret in the header alone': {
    methods: ['client_secret_basic'],
    idToken: { email: EMAIL, email_verified: true },
    by: { secret: 'header', email: EMAIL },
  },
  'a provider whose metadata name no method': {
    idToken: { email: EMAIL, email_verified: true },
    by: { secret: 'header', email: EMAIL },
  },
  'a provider that vouches for another address than the one of the token': {
    idToken: { email: 'boss@customer.example' },
    userinfo: { email: EMAIL, email_verified: true },
    by: { secret: 'header', missing: 'address_not_verified' },
  },
};

it.each(Object.entries(CASES))('%s: whoever signs in is known by what it vouches for', async (_name, recorded) => {
  const { roleClaim, trustsEmail = false, secret, email, rights, missing, reason = '' } = recorded.by;
  const place = await startRecorded(recorded);
  try {
    const roles = parseRoleMap(['admins=operator:admin']);
    const client = {
      issuer: place.issuer,
      clientId: 'console',
      clientSecret: 'secret',
      scopes: 'openid email profile',
    };
    const options: ProviderOptions = { ...client, roleClaim, roles, trustsEmail };
    const provider = createProvider(options);
    const { url, attempt } = await provider.begin('http://127.0.0.1:1/session/oidc/callback');
    const { who, lack } = await provider.finish(place.signIn(url), attempt);
    expect(who).toMatchObject({ identity: `${place.issuer} subject-1`, email, rights });
    expect([place.shown, lack?.missing]).toEqual([[secret], missing]);
    expect(lack?.reason ?? '').toContain(reason);
  } finally {
    await place.stop();
  }
});
