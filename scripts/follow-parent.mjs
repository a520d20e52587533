// Part of `npm start`: loaded into a process that must end with its parent. npm killed with -9 sends no signal; the
// server would keep the port and the data folder.
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 250).unref();
