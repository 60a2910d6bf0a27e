import { readOptions, UsageError } from '../../../tools/bench/options.js';
import { rowName, rowsNamed } from '../../../tools/bench/rounds.js';
import { namedServers, placeOn } from '../../../tools/bench/servers.js';
import { scaleRows } from '../../../tools/bench/scale/scale.js';

describe('options of the benchmark', () => {
  it('have defaults', () => {
    expect(readOptions([])).toEqual({
      seconds: 1,
      rounds: 3,
      connections: 64,
      only: [],
      against: undefined,
      profile: undefined,
      scale: undefined,
      log: undefined,
      changes: undefined,
      peer: true,
    });
  });

  it('are taken as they are given', () => {
    const given =
      '--seconds 0.3 --rounds 5 --only bulk,,move --against a/main.js --scale 1000,200000 --node 24 --no-peer';
    expect(readOptions(given.split(' '))).toMatchObject({
      seconds: 0.3,
      rounds: 5,
      only: ['bulk', 'move'],
      against: 'a/main.js',
      scale: [1_000, 200_000],
      node: '24',
      peer: false,
    });
  });

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

describe('rows', () => {
  it('are chosen by parts of their names', () => {
    expect(rowsNamed(['move_in_new', 'bulk_changed']).map(rowName)).toEqual([
      'move_in_new',
      'move_in_new_one',
      'bulk_changed',
    ]);
    expect(rowsNamed(['_one']).every(({ clients }) => clients === 'one')).toBe(true);
    expect(rowsNamed(['nothing'])).toEqual([]);
  });

  it('of a run over sizes are writes of one unit', () => {
    const all = ['move_in_new', 'move_in_new_one', 'facts_changed', 'facts_changed_one'];
    expect(scaleRows([]).map(rowName)).toEqual(all);
    expect(scaleRows(['facts']).map(rowName)).toEqual(all.slice(2));
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
