package dev.drover.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes that a model makes, and that the example in each answer works. */
class ErrorsTest {

  private static final String FILES =
      "\"input\":{\"file\":{\"path\":\"in.csv\"}},\"output\":{\"file\":{\"path\":\"out.jsonl\"}}";
  private static final String IDLE = "\"input\":{\"probe\":{}},\"output\":{\"probe\":{}}";

  @TempDir private static Path folder;
  private static Process process;
  private static TestClient client;

  @BeforeAll
  static void start() throws Exception {
    process = ServerProcess.start(folder);
    client = TestClient.of(process).initialize("2024-11-05");
    Files.writeString(folder.resolve("in.csv"), "id,name\n1,a\n2,b\n");
  }

  @AfterAll
  static void end() {
    process.destroyForcibly();
  }

  @BeforeEach
  void clean() throws Exception {
    Files.deleteIfExists(folder.resolve("out.jsonl"));
  }

  private static void assertExampleWorks(Json error) throws Exception {
    Json example = error.object("example");
    String tool = String.valueOf(example.get("tool"));
    Json reply = client.call(tool, example.object("arguments").toString());
    if (tool.equals("start_route")) {
      String name = "{\"name\":\"%s\"}".formatted(reply.get("name"));
      assertThat(client.call("wait_route", name).get("outcome")).isEqualTo("completed");
      assertThat(Files.readAllLines(folder.resolve("out.jsonl")))
          .containsExactly("{\"id\":\"1\",\"name\":\"a\"}", "{\"id\":\"2\",\"name\":\"b\"}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "start_route|{}|missing_option|/route|route",
        "start_route|{'rout':{FILES}}|unknown_option|/rout|did you mean 'route'?",
        "start_route|{'route':5}|invalid_argument|/route|JSON object",
        "start_route|{'route':'{oops'}|invalid_argument|/route|JSON object",
        "start_route|{'route':{FILES},'wait_ms':-1}|invalid_argument|/wait_ms|0 to 600000",
        "start_route|{'route':{FILES},'wait_ms':'soon'}|invalid_argument|/wait_ms|0 to 600000",
        "start_route|{'route':{FILES},'batch_size':1.5}|invalid_argument|/batch_size|1 to 1000000",
        "start_route|{'route':{FILES},'concurrency':0}|invalid_argument|/concurrency|1 to 256",
        "start_route|{'route':{FILES},'if_exists':'eror'}|invalid_argument|/if_exists|'error'",
        "start_route|{'route':{FILES},'name':''}|invalid_argument|/name|1 to 128",
        "start_route|{'route':{FILES},'name':['a']}|invalid_argument|/name|a list",
        "start_route|{'route':{'inputs':{}}}|unknown_option|/route/inputs|'input'",
        "start_route|{'route':{'input':{'fil':{}}}}|unknown_connector|/route/input/fil|'file'",
        "start_route|{'route':{'input':{'file':{}}}}|missing_option|/route/input/file/path|path",
        "start_route|{'route':{'input':{'file':{'path':'no.csv'}}}}|file_not_found|/route/input|no.csv",
        "start_route|{'route':{'input':{'file':{'path':'/etc/passwd','format':'csv'}}}}"
            + "|path_outside_roots|/route/input|--root",
        "route_status|{'name':'none'}|unknown_route|/name|none",
        "route_status|{'nam':'x'}|unknown_option|/nam|'name'",
        "wait_route|{}|missing_option|/name|required",
        "wait_route|{'name':'none'}|unknown_route|/name|none",
        "wait_route|{'name':'x','timeout_ms':600001}|invalid_argument|/timeout_ms|600000",
        "stop_route|{'name':'none'}|unknown_route|/name|none",
        "stop_route|{'name':'x','mode':'nwo'}|invalid_argument|/mode|drain",
        "stop_route|{'name':'x','drain':'maybe'}|invalid_argument|/drain|true or false",
        "server_info|{'x':1}|unknown_option|/x|x",
        "server_info|[1]|invalid_argument|''|one JSON object",
      })
  void tellsCodePlaceAndWayOut(String tool, String arguments, String code, String path, String text)
      throws Exception {
    Json error = client.refused(tool, arguments.replace('\'', '"').replace("FILES", FILES));
    Json problem = error.list("problems").getFirst();
    assertThat(problem.get("code")).isEqualTo(code);
    assertThat(error.get("code")).isEqualTo(code);
    assertThat(problem.get("path")).asString().startsWith(path);
    assertThat(problem.toString()).contains(text);
    assertThat(error.get("retryable")).isEqualTo(false);
    assertExampleWorks(error);
  }

  @Test
  void tellsAllAtOnce() throws Exception {
    Json error =
        client.refused(
            "start_route",
            "{\"nam\":\"x\",\"wait_ms\":\"x\",\"route\":{\"input\":{\"fil\":{}},"
                + "\"output\":{\"file\":{\"pth\":\"x\"}},\"exit_on_empty\":\"maybe\"}}");
    assertThat(error.list("problems").stream().map(problem -> problem.get("path")))
        .containsExactlyInAnyOrder(
            "/nam",
            "/wait_ms",
            "/route/input/fil",
            "/route/output/file/pth",
            "/route/output/file/path",
            "/route/exit_on_empty");
    assertThat(error.get("message")).asString().startsWith("6 problems; the first: ");
    assertExampleWorks(error);
  }

  @Test
  void cutsLongValuesAndManyProblems() throws Exception {
    StringBuilder arguments = new StringBuilder("{\"" + "x".repeat(40_000) + "\":1");
    for (int i = 0; i < 100; i++) {
      arguments.append(",\"y").append(i).append("\":1");
    }
    Json error = client.refused("route_status", arguments.append('}').toString());
    assertThat(error.list("problems")).hasSize(ErrorJson.MAX_PROBLEMS);
    assertThat(error.toString().length()).isLessThan(4000);
  }

  @Test
  void refusesExistingFile() throws Exception {
    Files.writeString(folder.resolve("out.jsonl"), "precious\n");
    Json error = client.refused("start_route", "{\"route\":{%s}}".formatted(FILES));
    assertThat(error.get("code")).isEqualTo("file_exists");
    assertThat(error.list("problems").getFirst().get("path"))
        .asString()
        .startsWith("/route/output");
    assertThat(error.toString()).contains("write_mode");
    assertThat(Files.readString(folder.resolve("out.jsonl"))).isEqualTo("precious\n");
    assertExampleWorks(error);
  }

  @Test
  void tellsThatFileWasReplaced() throws Exception {
    Files.writeString(folder.resolve("out.jsonl"), "old\n");
    Json status =
        client.call(
            "start_route",
            "{\"wait_ms\":60000,\"route\":{\"input\":{\"file\":{\"path\":\"in.csv\"}},\"output\":"
                + "{\"file\":{\"path\":\"out.jsonl\",\"write_mode\":\"replace\"}}}}");
    assertThat(status.get("replaced")).isEqualTo(true);
    assertThat(status.get("destination"))
        .isEqualTo(folder.toRealPath().resolve("out.jsonl").toString());
  }

  @Test
  void settlesNamesThatAreTaken() throws Exception {
    String start = "{\"name\":\"copy1\",\"route\":{%s}%s}";
    client.call("start_route", start.formatted(IDLE, ""));
    Json error = client.refused("start_route", start.formatted(FILES, ""));
    assertThat(error.get("code")).isEqualTo("route_exists");
    assertThat(error.list("problems").getFirst().get("path")).isEqualTo("/name");
    Json same = client.call("start_route", start.formatted(IDLE, ",\"if_exists\":\"return\""));
    assertThat(same.keys()).isEqualTo(List.of("name", "state"));
    assertExampleWorks(error);
  }

  @Test
  void namesNearestRoute() throws Exception {
    client.call("start_route", "{\"name\":\"orders\",\"route\":{%s}}".formatted(IDLE));
    Json error = client.refused("stop_route", "{\"name\":\"order\"}");
    assertThat(error.list("problems").getFirst().get("suggestion"))
        .isEqualTo("did you mean 'orders'?");
    // Nobody should be led to stop another route.
    assertThat(error.at("example", "tool")).isEqualTo("route_status");
    Json stopped = client.call("stop_route", "{\"name\":\"orders\",\"drain\":\"false\"}");
    assertThat(stopped.keys())
        .isEqualTo(
            List.of(
                "messages", "elapsed_s", "average_messages_per_second", "outcome", "committed"));
    assertThat(client.call("stop_route", "{\"name\":\"orders\"}").get("outcome"))
        .isEqualTo("stopped");
  }

  @Test
  void takesSloppyArguments() throws Exception {
    Json status =
        client.call(
            "start_route",
            "{\"name\":null,\"wait_ms\":\"60000\",\"max_batch_rows\":\"7\",\"concurrency\":2.0,"
                + "\"route\":\"{"
                + FILES.replace("\"", "\\\"")
                + ",\\\"exit_on_empty\\\":\\\"true\\\"}\"}");
    assertThat(status.get("outcome")).isEqualTo("completed");
    assertThat(status.get("messages")).isEqualTo(2L);
    assertThat(status.get("name")).asString().startsWith("route-");
  }

  @Test
  void tellsWhyRunFailed() throws Exception {
    Files.writeString(folder.resolve("bad.csv"), "a,b\n1,2\n\"3,4\n");
    Json status =
        client.call(
            "start_route",
            "{\"wait_ms\":60000,\"route\":{\"input\":{\"file\":{\"path\":\"bad.csv\"}},\"output\":"
                + "{\"file\":{\"path\":\"out.jsonl\"}}}}");
    assertThat(status.get("outcome")).isEqualTo("failed");
    assertThat(status.keys()).contains("committed").doesNotContain("destination");
    assertThat(status.object("error").keys()).contains("code", "message", "stage");
    assertThat(folder.resolve("out.jsonl")).doesNotExist();
  }
}
