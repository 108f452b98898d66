export { actorOf, type Credential, type CredentialDeps } from './credential';
export { describeInvitation, describeUser } from './describe-user';
export {
  findIdentified,
  type Identified,
  type InvitedChoice,
  type ProvenIdentity,
} from './identities';
export { acceptInvitation, findInvitation, type Invitation } from './invitations';
export { isKnownUser, type KnownUser } from './known-user';
export {
  changeUser,
  createInvited,
  createUser,
  deleteUser,
  endUserSessions,
  hasAllUsers,
  hasPassword,
  type Invited,
  inviteUser,
  MAX_USERS_OF_ACCOUNT,
  makeSignInLink,
  type NewUser,
  resetSecondFactor,
  resetUser,
  setPassword,
} from './manage-users';
export { changeOwnPassword, confirmTotp, enrolTotp, removeTotp } from './own-proofs';
export { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS, type PasswordFault, passwordFault } from './password';
export { listPlaces, type ProvenAddress, type SignInPlace } from './places';
export { searchUsers, type UserQuery } from './search-users';
export { closeOtherSessions, closeSession, findSession, listSessions, renewCredential, type Session } from './sessions';
export { type GivenProofs, type SignInFault, type SignInOutcome, signIn, signInAs, signInByLink } from './sign-in';
export { findUser, findUsersByEmail, normalEmail, type UserRecord } from './user-record';
