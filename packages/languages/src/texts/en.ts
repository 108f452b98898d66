import { MESSAGES } from '@mediagate/contracts';

export default MESSAGES;
