import { CommandError, type BinaryAnswer, type Connection, type Issue, type JsonObject, type Status } from "./contract";

const LOST = "There is no connection to Sunder. Is the program still running in its terminal? Studio tries again by itself.";
const RETRY = { first: 400, most: 5000 }; // ms

export type ConnectionState = "connecting" | "open" | "lost" | "refused";

interface Waiting {
  resolve(answer: JsonObject | BinaryAnswer): void;
  reject(error: Error): void;
}

/** A binary answer: u32 length of the header, the header as JSON, the bytes. */
export function splitBinary(message: ArrayBuffer): BinaryAnswer {
  const length = new DataView(message).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(message, 4, length))) as JsonObject;
  return { header, bytes: message.slice(4 + length) };
}

/** Talks to the program over one WebSocket; opens it again when it is lost. */
export class SocketConnection implements Connection {
  state: ConnectionState = "connecting";
  status: Status | undefined;
  private socket: WebSocket | undefined;
  private next = 1;
  private retry = RETRY.first;
  private opened = 0; // how often
  private readonly waiting = new Map<number, Waiting>();
  private readonly statusListeners = new Set<(status: Status) => void>();
  private readonly stateListeners = new Set<(state: ConnectionState, again: boolean) => void>();

  constructor(
    private readonly base: string, // http://127.0.0.1:PORT
    private readonly token: string,
  ) {
    this.open();
  }

  onStatus(listener: (status: Status) => void): () => void {
    this.statusListeners.add(listener);
    if (this.status) listener(this.status);
    return () => this.statusListeners.delete(listener);
  }

  /** `again`: it had been open before, so what is shown may be old. */
  onState(listener: (state: ConnectionState, again: boolean) => void): void {
    this.stateListeners.add(listener);
    listener(this.state, false);
  }

  ask<T = unknown>(command: string, args: object = {}): Promise<T> {
    return this.send(command, args) as Promise<T>;
  }

  async askBytes(command: string, args: object = {}): Promise<BinaryAnswer> {
    const answer = await this.send(command, args);
    if (!(answer["bytes"] instanceof ArrayBuffer))
      throw new CommandError(`Sunder answered '${command}' without the bytes that belong to it.`);
    return answer as BinaryAnswer;
  }

  async fetchBytes(path: string): Promise<ArrayBuffer> {
    return (await this.fetch(path)).arrayBuffer();
  }

  async fetchJson<T>(path: string): Promise<T> {
    return (await this.fetch(path)).json() as Promise<T>;
  }

  /** Sends a file; `onShare` hears how much of it is there. */
  upload(name: string, file: Blob, onShare: (share: number) => void): { answer: Promise<JsonObject>; cancel(): void } {
    const request = new XMLHttpRequest(); // fetch tells nothing while it sends
    request.open("POST", `${this.base}/upload?name=${encodeURIComponent(name)}`);
    request.setRequestHeader("X-Sunder-Token", this.token);
    request.upload.onprogress = (event) => onShare(event.total > 0 ? event.loaded / event.total : 0);
    const answer = new Promise<JsonObject>((resolve, reject) => {
      request.onload = () => {
        if (request.status < 300) resolve(JSON.parse(request.responseText) as JsonObject);
        else reject(new CommandError(refusalOf(request.responseText, request.status)));
      };
      request.onerror = () => reject(new CommandError(LOST));
      request.onabort = () => reject(new CommandError(`Sending ${name} was cancelled.`));
    });
    request.send(file);
    return { answer, cancel: () => request.abort() };
  }

  private async fetch(path: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + path, { headers: { "X-Sunder-Token": this.token } });
    } catch {
      throw new CommandError(LOST);
    }
    if (!response.ok) throw new CommandError(refusalOf(await response.text(), response.status));
    return response;
  }

  private send(command: string, args: object): Promise<JsonObject | BinaryAnswer> {
    if (this.socket?.readyState !== WebSocket.OPEN) return Promise.reject(new CommandError(LOST));
    const id = this.next++;
    this.socket.send(JSON.stringify({ ...args, id, do: command }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  private open(): void {
    const socket = new WebSocket(`${this.base.replace(/^http/, "ws")}/socket`, `sunder.${this.token}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.retry = RETRY.first;
      this.setState("open", this.opened++ > 0);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data);
    socket.onclose = () => this.closed(wasOpen);
  }

  private closed(wasOpen: boolean): void {
    for (const { reject } of this.waiting.values()) reject(new CommandError(LOST));
    this.waiting.clear();
    this.setState(wasOpen || this.opened > 0 ? "lost" : "refused", false);
    setTimeout(() => this.open(), this.retry);
    this.retry = Math.min(2 * this.retry, RETRY.most);
  }

  private setState(state: ConnectionState, again: boolean): void {
    this.state = state;
    for (const listener of this.stateListeners) listener(state, again);
  }

  private receive(data: string | ArrayBuffer): void {
    if (data instanceof ArrayBuffer) {
      const answer = splitBinary(data);
      this.settle(answer.header, answer);
      return;
    }
    const message = JSON.parse(data) as JsonObject;
    if ("status" in message) {
      this.status = message["status"] as unknown as Status;
      for (const listener of this.statusListeners) listener(this.status);
      return;
    }
    this.settle(message, message);
  }

  private settle(header: JsonObject, answer: JsonObject | BinaryAnswer): void {
    const id = Number(header["id"]);
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    const error = header["error"] as { message: string; issues?: Issue[] } | undefined;
    if (error) waiting?.reject(new CommandError(error.message, error.issues ?? []));
    else waiting?.resolve(answer);
  }
}

function refusalOf(text: string, status: number): string {
  try {
    const parsed = JSON.parse(text) as { error?: { message?: string } | string; message?: string };
    const message = typeof parsed.error === "string" ? parsed.error : (parsed.error?.message ?? parsed.message);
    if (message) return message;
  } catch {
    // not JSON: the text itself says it
  }
  return text.trim() || `Sunder refused (HTTP ${status}).`;
}
