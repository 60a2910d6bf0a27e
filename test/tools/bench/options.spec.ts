import { readOptions, UsageError } from '../../../tools/bench/options.js';
import { namedServers, placeOn } from '../../../tools/bench/servers.js';

describe('options of the benchmark', () => {
  it.each([
    ['--seconds', '0'],
    ['--rounds', 'x'],
    ['--scale', '1000,'],
    ['--scale', '-1'],
    ['--node', 'latest'],
    ['--other'],
    ['x'],
  ])('are refused where they cannot be followed: %s %s', (...argv) => {
    expect(() => readOptions(argv)).toThrow(UsageError);
  });
});

describe('servers', () => {
  it('are none where none are named', () => {
    expect(namedServers({ PATH: '/bin', MONGODB_URL: '' })).toEqual({
      environment: {},
      text: 'Embedded stores.',
    });
  });

  it('are handed on whole and shown without what is secret', () => {
    const environment = {
      EVENTSTORE_URL: 'esdb+discover://ada:p@ss@one:2113,two:2113?tls=true',
      MONGODB_URL: 'mongodb://host/base?password=x',
    };
    const text = 'Events on esdb+discover://one:2113,two:2113. Documents on mongodb://host.';
    expect(namedServers({ ...environment, OTHER: 'x' })).toEqual({ environment, text });
  });

  it.each([
    ['mongodb://host', 'mongodb://host/bench_r_other'],
    ['mongodb://one,two/base?replicaSet=rs', 'mongodb://one,two/bench_r_other?replicaSet=rs'],
    ['mongodb://ada:p@host/base', 'mongodb://ada:p@host/bench_r_other?authSource=base'],
    ['mongodb://ada:p@host/base?authSource=admin', 'mongodb://ada:p@host/bench_r_other?authSource=admin'],
  ])('give each contestant a database and streams of its own: %s', (MONGODB_URL, own) => {
    const servers = namedServers({ EVENTSTORE_URL: 'esdb://host', MONGODB_URL });
    expect(placeOn(servers, 'r', 'other')).toEqual({
      EVENTSTORE_URL: 'esdb://host',
      EVENTSTORE_STREAM_PREFIX: 'bench_r_other.',
      MONGODB_URL: own,
    });
    expect(placeOn(namedServers({}), 'r', 'other')).toEqual({});
  });
});
