// Part of `npm start`: loaded into a process that must not outlive the one that started it. npm killed with -9
// passes nothing on; the server would keep the port and the data folder, and nobody would know why.
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 250).unref();
