import { DatabaseConflictError, DatabaseUnavailableError, toDatabaseError } from './database-error';
import { retrySafely } from './retry';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('toDatabaseError', () => {
  it.each([
    ['a socket', 'ECONNREFUSED'],
    ['a socket', 'ECONNRESET'],
    ['a network that is down', 'ENETUNREACH'],
    ['a path to a server that is being restarted', 'ENOENT'],
    ['a firewall', 'EPERM'],
    ['too many open files', 'EMFILE'],
    ['a resolver', 'EAI_FAIL'],
    ['a connection', '08006'],
    ['a plan that a migration made stale', '0A000'],
    ['a primary that became read-only', '25006'],
    ['a statement that a pooler did not pass on', '26000'],
    ['a password that was changed', '28P01'],
    ['a database that is being restored', '3D000'],
    ['too many connections', '53300'],
    ['a full disk', '53100'],
    ['a shutdown', '57P01'],
    ['a time limit', '57014'],
    ['a disk', '58030'],
    ['the server itself', 'XX000'],
  ])('calls %s an outage (%s)', (_, code) => {
    expect(toDatabaseError(withCode(code))).toBeInstanceOf(DatabaseUnavailableError);
  });

  it.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly', 'Query read timeout'])(
    'calls the driver saying "%s" an outage',
    (message) => {
      expect(toDatabaseError(new Error(message))).toBeInstanceOf(DatabaseUnavailableError);
    },
  );

  it.each(['40001', '40P01', '55P03'])('calls %s a lost race', (code) => {
    expect(toDatabaseError(withCode(code))).toBeInstanceOf(DatabaseConflictError);
  });

  it.each(['21000', '23505', '23514', '42P01', '22P02', '54000', 'P0001', 'P2025', 'ERR_INVALID_ARG_TYPE'])(
    'lets %s through as it is: it will not go away',
    (code) => {
      const error = withCode(code);
      expect(toDatabaseError(error)).toBe(error);
    },
  );
});

describe('retrySafely', () => {
  function failing(errors: Error[]) {
    let calls = 0;
    const run = async () => {
      const error = errors[calls];
      calls += 1;
      if (error) throw error;
      return calls;
    };
    return { run, calls: () => calls };
  }
  const conflict = () => new DatabaseConflictError(new Error('deadlock'));
  const outage = () => new DatabaseUnavailableError(new Error('reset'));

  it('tries again after a lost race, three times at most', async () => {
    expect(await retrySafely(failing([conflict(), conflict(), conflict()]).run)).toBe(4);
    await expect(retrySafely(failing([1, 2, 3, 4].map(conflict)).run)).rejects.toBeInstanceOf(DatabaseConflictError);
  });

  it('tries again once after a connection that broke', async () => {
    expect(await retrySafely(failing([outage()]).run)).toBe(2);
    const twice = failing([outage(), outage()]);
    await expect(retrySafely(twice.run)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(twice.calls()).toBe(2);
  });

  it('does not repeat what is simply wrong', async () => {
    const wrong = failing([new Error('syntax')]);
    await expect(retrySafely(wrong.run)).rejects.toThrow('syntax');
    expect(wrong.calls()).toBe(1);
  });
});
