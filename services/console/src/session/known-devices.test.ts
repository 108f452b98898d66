import { createKnownDevices } from './known-devices';

const devices = createKnownDevices('secret of the consoles');
const user = { id: 'usr_1', generation: 3 };

it('a proof names its browser, its user and the generation of their sessions, in every console', () => {
  const proven = createKnownDevices('secret of the consoles').verify(devices.issue(user, undefined));
  expect(proven).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), user });
});

it('a browser stays the same for whoever signs in there', () => {
  const first = devices.verify(devices.issue(user, undefined));
  const second = devices.verify(devices.issue({ id: 'usr_2', generation: 0 }, first));
  expect(second).toEqual({ id: first?.id, user: { id: 'usr_2', generation: 0 } });
});

it('no part of a proof can be another, nor be of another deployment', () => {
  const proof = devices.issue(user, undefined);
  const [id, userId, generation, signature] = proof.split('.');
  for (const forged of [
    `${id}.usr_2.${generation}.${signature}`,
    `${id}.${userId}.4.${signature}`,
    `${id?.replace(/^./, '.')}.${userId}.${generation}.${signature}`,
    `another.${userId}.${generation}.${signature}`,
    `${id}.${userId}.${generation}.`,
    `${id}.${signature}`,
    '',
  ])
    expect(devices.verify(forged)).toBeUndefined();
  expect(createKnownDevices('another secret').verify(proof)).toBeUndefined();
});
