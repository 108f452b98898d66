import { parseProcessAddresses } from './process-addresses';

describe('parseProcessAddresses', () => {
  it('reads names and addresses', () => {
    expect(parseProcessAddresses(['api=http://127.0.0.1:9090', 'image = http://image:9090/readyz'])).toEqual({
      found: [
        { name: 'api', url: 'http://127.0.0.1:9090' },
        { name: 'image', url: 'http://image:9090' },
      ],
      faults: [],
    });
  });

  it('names each item that is wrong', () => {
    const items = ['api', '=http://x', 'api=', 'api=ftp://x', 'api=127.0.0.1:9090'];
    const { found, faults } = parseProcessAddresses(items);
    expect(found).toEqual([]);
    expect(faults).toEqual(items.map((item) => `"${item}" is not name=http://host:port`));
  });

  it('has a bound', () => {
    const items = Array.from({ length: 101 }, (_, index) => `p${index}=http://127.0.0.1:9090`);
    expect(parseProcessAddresses(items).faults).toEqual(['names more than 100 processes']);
  });
});
