import type { Handlers, KeyHandler, OpenHandler } from './route';

const withKey: KeyHandler = ({ caller }) => void caller.id;
const open: OpenHandler = ({ response }) => void response.end();

it('an operation’s handler is of its shape, and no operation is without: the compiler says so', () => {
  const forKeys: Pick<Handlers, 'getTask'> = { getTask: withKey };
  // @ts-expect-error an operation that asks for no key has no caller
  const forAnybody: Pick<Handlers, 'getDocument'> = { getDocument: withKey };
  // @ts-expect-error the other operations have no handler
  const all: Handlers = { getTask: withKey, getDocument: open };
  expect([forKeys, forAnybody, all]).toHaveLength(3);
});
