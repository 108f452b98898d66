export { stopSystem as default } from './start-system';
