export { actorOf, type Credential, type CredentialDeps } from './credential';
export { describeUser } from './describe-user';
export { findIdentified, type ProvenIdentity } from './identities';
export { acceptInvitation, findInvitation, type Invitation } from './invitations';
export {
  changeUser,
  createUser,
  deleteUser,
  hasPassword,
  type IssuedLink,
  inviteUser,
  makeSignInLink,
  type NewUser,
  resetUser,
  setPassword,
} from './manage-users';
export { changeOwnPassword, confirmTotp, enrolTotp, removeTotp } from './own-proofs';
export { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS, type PasswordFault, passwordFault } from './password';
export { closeOtherSessions, closeSession, findSession, renewCredential, type Session } from './sessions';
export { type GivenProofs, type SignInFault, signIn, signInAs, signInByLink } from './sign-in';
export { findUser, findUserByEmail, listUsers, normalEmail, type UserRecord } from './user-record';
