// Packs of files: the length of an index, the index (name, start, length of each file), then all bytes.

export function unpack(pack) {
  const length = new DataView(pack.buffer, pack.byteOffset).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(pack.subarray(4, 4 + length)));
  return { index, bytes: pack.subarray(4 + length) };
}

// Put the files into Emscripten's file system. They are not copied: each is a view of the whole.
export function layOut(FS, { index, bytes }, root) {
  const folders = new Set();
  for (const [name, start, length] of index) {
    const path = `${root}/${name}`;
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, cut);
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.createDataFile(folder, path.slice(cut + 1), bytes.subarray(start, start + length), true, true, true);
  }
}

// Return a function that makes the interpreter with the files of the pack, its compiled libraries loaded.
//
// A snapshot is the memory alone. Libraries are loaded before the interpreter starts, in the same order and so at the
// same places, when a snapshot is made and when it is used: then what points into them is right again.
export function interpreterWith(createPyodideModule, site, root, snapshotSize) {
  return async (settings) => {
    settings.preRun.push(async (Module) => {
      Module.addRunDependency("site");
      try {
        layOut(Module.FS, site, root);
        for (const [name, start, length] of site.index) {
          if (!name.endsWith(".so")) continue;
          const path = `${root}/${name}`;
          const flags = { loadAsync: true, nodelete: true, allowUndefined: true, global: false };
          const library = site.bytes.slice(start, start + length);
          const exports = await Module.loadWebAssemblyModule(library, flags, path, {});
          Module.newDSO(path, undefined, exports).global = false; // dlopen finds it by its name
        }
      } finally {
        Module.removeRunDependency("site");
      }
    });
    const Module = await createPyodideModule(settings);
    if (snapshotSize > Module.HEAP8.length) Module.growMemory(snapshotSize); // this build ignores INITIAL_MEMORY
    return Module;
  };
}
