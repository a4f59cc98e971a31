/* One step of the exported controller at a state, and the efforts that it commands. */
#include <cstdio>

#include "controller_interface/controller_interface.hpp"

extern "C" controller_interface::ControllerInterface *exported();

int main()
{
    using namespace controller_interface;
    std::unique_ptr<ControllerInterface> law(exported());
    if (law->on_init() != CallbackReturn::SUCCESS) {
        return 1;
    }
    law->get_node()->values["goal"] = std::vector<double>{0.5, 0.2};
    law->get_node()->values["payload"] = 2.0;
    if (law->on_configure({}) != CallbackReturn::SUCCESS) {
        return 2;
    }
    for (const auto &name : law->state_interface_configuration().names) {
        std::printf("%s ", name.c_str());
    }
    for (const double value : {0.4, -0.1, 0.3, 0.2}) {
        law->state_interfaces_.emplace_back();
        law->state_interfaces_.back().value = value;
    }
    law->command_interfaces_.resize(law->command_interface_configuration().names.size());
    if (law->update({}, {}) != return_type::OK) {
        return 3;
    }
    std::puts("");
    for (const auto &command : law->command_interfaces_) {
        std::printf("%.17g ", command.value);
    }
}
