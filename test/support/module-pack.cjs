// Lets a process take the modules that module-pack-maker.ts has put into one file from there, with what V8 made of them the
// last time: started so, the service listens in a third of the processor time that the search for two thousand files takes.
// Preloaded from the pack's own folder (`node -r FOLDER/module-pack.cjs`); whatever is not in the pack is loaded as ever.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const { modules } = JSON.parse(fs.readFileSync(path.join(__dirname, 'pack.json'), 'utf8'));
const files = modules.map(({ file }) => path.join(__dirname, file));
const places = new Map(files.map((file, place) => [file, place]));
const functions = compiled().runInThisContext();

for (const extension of ['.js', '.cjs', '.mjs']) {
  const load = Module._extensions[extension] ?? Module._extensions['.js'];
  Module._extensions[extension] = (module, file) => {
    const place = places.get(file);
    return place === undefined ? load(module, file) : evaluate(place, module);
  };
}

function evaluate(place, module) {
  const { links, isEsm } = modules[place];
  const required = (name) => {
    const linked = links[name];
    const exported = linked === undefined ? module.require(name) : loaded(linked, module);
    return isEsm && linked !== undefined && !modules[linked].isEsm ? asImported(exported) : exported;
  };
  required.resolve = (name, options) => Module._resolveFilename(name, module, false, options);
  required.cache = Module._cache;
  required.main = process.mainModule;
  const file = files[place];
  functions[place].call(module.exports, module.exports, required, module, file, path.dirname(file));
}

/** As Node's own loader does it, which is not asked: it would look for the file. */
function loaded(place, parent) {
  const file = files[place];
  const known = Module._cache[file];
  if (known !== undefined) return known.exports;
  const module = new Module(file, parent);
  module.filename = file;
  module.paths = Module._nodeModulePaths(path.dirname(file));
  Module._cache[file] = module;
  try {
    evaluate(place, module);
    module.loaded = true;
    return module.exports;
  } finally {
    if (!module.loaded) delete Module._cache[file];
  }
}

/** What an ES module is given of one that is none: the whole as its default, and what it has by name. */
function asImported(exported) {
  if (exported === null || !['object', 'function'].includes(typeof exported)) return { default: exported };
  return Object.create(exported, { default: { value: exported }, __esModule: { value: true } });
}

function compiled() {
  const cache = path.join(__dirname, `${process.versions.v8}-${process.arch}.cache`);
  const cachedData = fs.existsSync(cache) ? fs.readFileSync(cache) : undefined;
  const filename = path.join(__dirname, 'pack.js');
  const script = new vm.Script(fs.readFileSync(filename, 'utf8'), {
    filename,
    cachedData,
    // What is imported so at run time are modules of Node's own. Node's constant for this warns on standard error.
    importModuleDynamically: (name) => import(name),
  });
  // Made under other flags, it is of no use here.
  if (cachedData === undefined || script.cachedDataRejected) process.once('exit', () => keep(script, cache));
  return script;
}

/** Whoever ends first leaves what its functions were compiled to. Renamed into place, as others may read it at this moment. */
function keep(script, cache) {
  fs.writeFileSync(`${cache}.${process.pid}`, script.createCachedData());
  fs.renameSync(`${cache}.${process.pid}`, cache);
}
