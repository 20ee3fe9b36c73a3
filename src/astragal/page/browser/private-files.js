// Files of Python that lie in the origin's private file system, where what was flushed survives a crash.
//
// Python's files are synchronous, and handles of private files are opened asynchronously. So all handles are opened
// beforehand, and an empty file counts as absent. Everything else in the folder stays in memory.

const PATIENCE = 2_000; // milliseconds: files of a tab that was killed can be locked a moment longer
const RETRY = 10;
const EINVAL = 28;
const ENODEV = 43;
const ENOSYS = 52;

async function openHandle(folder, name) {
  const file = await folder.getFileHandle(name, { create: true });
  const until = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await file.createSyncAccessHandle();
    } catch (fault) {
      if (performance.now() > until) throw fault;
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}

async function openFolder(path) {
  let folder = await navigator.storage.getDirectory();
  for (const part of path) folder = await folder.getDirectoryHandle(part, { create: true });
  return folder;
}

// Mount the named files of a private folder at a path of Emscripten's file system.
export async function mountPrivateFiles(FS, mountPoint, names, folderPath) {
  const folder = await openFolder(folderPath);
  const handles = new Map();
  for (const name of names) handles.set(name, await openHandle(folder, name));

  FS.mkdirTree(mountPoint);
  FS.mount(FS.filesystems.MEMFS, {}, mountPoint);
  const root = FS.lookupPath(mountPoint).node;
  const inMemory = root.node_ops;

  const streamOperations = (memory) => ({
    ...memory,
    read(stream, buffer, offset, length, position) {
      return stream.node.handle.read(buffer.subarray(offset, offset + length), { at: position });
    },
    write(stream, buffer, offset, length, position) {
      stream.node.mtime = stream.node.ctime = Date.now();
      return stream.node.handle.write(buffer.subarray(offset, offset + length), { at: position });
    },
    llseek(stream, offset, whence) {
      const origins = [0, stream.position, stream.node.handle.getSize()];
      const position = origins[whence] + offset;
      if (position < 0) throw new FS.ErrnoError(EINVAL);
      return position;
    },
    fsync(stream) {
      stream.node.handle.flush();
      return 0;
    },
    mmap() {
      throw new FS.ErrnoError(ENODEV);
    },
  });

  function keepInPrivateFile(node, handle) {
    const memory = node.node_ops;
    node.handle = handle;
    node.stream_ops = streamOperations(node.stream_ops);
    node.node_ops = {
      ...memory,
      getattr(node) {
        const size = handle.getSize();
        return { ...memory.getattr(node), size, blocks: Math.ceil(size / 512) };
      },
      setattr(node, { size, ...attributes }) {
        if (size !== undefined && size !== null) handle.truncate(size);
        memory.setattr(node, attributes);
      },
    };
    return node;
  }

  root.node_ops = {
    ...inMemory,
    mknod(parent, name, mode, device) {
      const node = inMemory.mknod(parent, name, mode, device);
      return handles.has(name) ? keepInPrivateFile(node, handles.get(name)) : node;
    },
    unlink(parent, name) {
      const handle = handles.get(name);
      if (handle) {
        handle.truncate(0);
        handle.flush();
      }
      return inMemory.unlink(parent, name);
    },
    rename() {
      throw new FS.ErrnoError(ENOSYS);
    },
  };
  for (const [name, handle] of handles) {
    if (handle.getSize()) root.node_ops.mknod(root, name, 0o100600, 0);
  }
}
